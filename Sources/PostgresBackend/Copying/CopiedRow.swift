#if Postgres
/// A row in the binary COPY format: the number of values, then each value after its length.
struct CopiedRow: BinaryRow, ~Copyable {
    /// The bytes of the current row's values; a null value has no base address.
    // Unsafe: only `read` writes it, within its capacity, and `deinit` frees it.
    private let values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    private var hasBegun = false
    private var hasEnded = false

    /// The content of a message.
    enum Content {
        /// The header without a row.
        case header
        case row
        /// The trailer after all rows.
        case end
    }

    init(width: Int) {
        values = .allocate(capacity: width)
        values.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    deinit { values.deallocate() }

    @inline(__always)
    func value(_ position: Int) -> UnsafeRawBufferPointer { values[position] }
    @inline(__always)
    func isNull(_ position: Int) -> Bool { values[position].baseAddress == nil }

    /// Parses a message, which must stay in memory while its values are used; nil if its format is invalid.
    ///
    /// The server sends a message for each row, with the header in front of the first row, and one for the trailer.
    mutating func read(_ piece: UnsafeRawBufferPointer) -> Content? {
        var position = 0
        if !hasBegun {
            hasBegun = true
            guard let length = Self.header(of: piece) else { return nil }
            position = length
            if position == piece.count { return .header }
        }
        guard !hasEnded, let count = piece.integer(Int16.self, &position) else { return nil }
        if count == -1 {
            hasEnded = true
            return position == piece.count ? .end : nil
        }
        guard Int(count) == values.count else { return nil }
        for column in values.indices {
            guard let length = piece.integer(Int32.self, &position) else { return nil }
            if length < 0 {
                values[column] = UnsafeRawBufferPointer(start: nil, count: 0)
                continue
            }
            let end = position + Int(length)
            guard end <= piece.count else { return nil }
            values[column] = UnsafeRawBufferPointer(rebasing: piece[position..<end])
            position = end
        }
        return position == piece.count ? .row : nil
    }

    /// Returns the length of the header: signature, flags, and an extension with its length; nil if the signature is missing.
    private static func header(of piece: UnsafeRawBufferPointer) -> Int? {
        guard piece.starts(with: CopyFormat.signature) else { return nil }
        var position = CopyFormat.signature.count + 4
        guard let rest = piece.integer(Int32.self, &position), rest >= 0 else { return nil }
        return position + Int(rest)
    }
}

extension UnsafeRawBufferPointer {
    /// Reads a number, and advances the position past it; nil at the end of the buffer.
    @inline(__always)
    fileprivate func integer<Number: FixedWidthInteger>(_ type: Number.Type, _ position: inout Int) -> Number?
    {
        let end = position + MemoryLayout<Number>.size
        guard end <= count else { return nil }
        defer { position = end }
        return bigEndian(type, at: position)
    }
}
#endif
