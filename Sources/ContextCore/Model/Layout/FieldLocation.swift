/// The location of a column's field in a packed row.
@usableFromInline
package struct FieldLocation: Hashable, Sendable {
    /// The offset of the field in bytes.
    @usableFromInline let offset: Int
    /// The offset in bytes of the word that contains the column's null bit.
    @usableFromInline let nullWord: Int
    /// A mask of all bits of that word except the column's.
    @usableFromInline let otherBits: UInt64

    init(column: Int, offset: Int) {
        self.offset = offset
        nullWord = RowFields.headerSize + (column >> 6) &* 8
        otherBits = ~(1 &<< UInt64(column & 63))
    }
}
