public import Foundation

/// Where one column of an entity stands in a packed row.
@usableFromInline
package struct FieldPlace: Hashable, Sendable {
    /// The byte at which the field begins.
    @usableFromInline let offset: Int
    /// The byte at which the word begins that says whether it is null.
    @usableFromInline let nullWord: Int
    /// All bits of that word but the column's.
    @usableFromInline let others: UInt64

    init(column: Int, offset: Int) {
        self.offset = offset
        nullWord = RowFields.headerSize + (column >> 6) &* 8
        others = ~(1 &<< UInt64(column & 63))
    }
}

/// The row that was begun last in a ``RowBatchBuilder``, for backends: what they read goes straight to its place.
///
/// Fields that aren't written are null. It is good until the next row is begun, and as long as there is the builder; nothing
/// is looked up or checked, as it is done for every value of a fetch.
@usableFromInline
package struct OpenRow {
    // Of the builder's memory, as large as the layout says that the places are of.
    @usableFromInline let memory: UnsafeMutableRawPointer

    init(memory: UnsafeMutableRawPointer) { self.memory = memory }

    @inlinable
    @inline(__always)
    package func set(_ place: FieldPlace, integer value: Int64) {
        open(place).storeBytes(of: value, as: Int64.self)
    }

    @inlinable
    @inline(__always)
    package func set(_ place: FieldPlace, double value: Double) {
        open(place).storeBytes(of: value, as: Double.self)
    }

    @inlinable
    @inline(__always)
    package func set(_ place: FieldPlace, uuid value: UUID) {
        open(place).storeBytes(of: value, as: UUID.self)
    }

    /// Sets a text, data or decimal that the builder has taken in.
    @inlinable
    @inline(__always)
    package func set(_ place: FieldPlace, taken value: TakenBytes) {
        open(place).storeBytes(of: value, as: TakenBytes.self)
    }

    /// The field, which is marked as holding a value.
    @inlinable
    @inline(__always)
    func open(_ place: FieldPlace) -> UnsafeMutableRawPointer {
        let bits = memory.load(fromByteOffset: place.nullWord, as: UInt64.self)
        memory.storeBytes(of: bits & place.others, toByteOffset: place.nullWord, as: UInt64.self)
        return memory + place.offset
    }
}

/// Where the bytes of a text, data or decimal lie in the heap of a batch.
@usableFromInline
package struct TakenBytes: BitwiseCopyable {
    @usableFromInline let offset: UInt32
    @usableFromInline let length: UInt32

    @inlinable
    init(offset: UInt32, length: UInt32) {
        self.offset = offset
        self.length = length
    }
}
