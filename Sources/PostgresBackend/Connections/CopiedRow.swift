#if Postgres
/// A row that flows from the server in binary: how many values it has, then each with its length before it.
struct CopiedRow: AnsweredRow, ~Copyable {
    /// Where the values of the row that was read last are, without an address for null.
    // Unsafe: written by `read` alone, within its capacity, and freed with the row.
    private let values: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    private var hasBegun = false
    private var hasEnded = false

    /// What there is in a piece.
    enum Content {
        /// Nothing but the header.
        case header
        case row
        /// The end of all rows.
        case end
    }

    init(width: Int) {
        values = .allocate(capacity: width)
        values.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    deinit { values.deallocate() }

    @inline(__always)
    func value(_ place: Int) -> UnsafeRawBufferPointer { values[place] }
    @inline(__always)
    func isNull(_ place: Int) -> Bool { values[place].baseAddress == nil }

    /// Reads a piece of what flows, which has to stay where it is as long as its values are asked for; nil where it isn't one.
    ///
    /// A server sends each row as a piece of its own, the header before the first of them in the same, and then the end.
    mutating func read(_ piece: UnsafeRawBufferPointer) -> Content? {
        var place = 0
        if !hasBegun {
            hasBegun = true
            guard let length = Self.header(of: piece) else { return nil }
            place = length
            if place == piece.count { return .header }
        }
        guard !hasEnded, let count = piece.integer(Int16.self, &place) else { return nil }
        if count == -1 {
            hasEnded = true
            return place == piece.count ? .end : nil
        }
        guard Int(count) == values.count else { return nil }
        for column in values.indices {
            guard let length = piece.integer(Int32.self, &place) else { return nil }
            if length < 0 {
                values[column] = UnsafeRawBufferPointer(start: nil, count: 0)
                continue
            }
            let end = place + Int(length)
            guard end <= piece.count else { return nil }
            values[column] = UnsafeRawBufferPointer(rebasing: piece[place..<end])
            place = end
        }
        return place == piece.count ? .row : nil
    }

    /// How long the header is: a signature, flags, and how much more there is of it.
    private static func header(of piece: UnsafeRawBufferPointer) -> Int? {
        guard piece.starts(with: CopyFormat.signature) else { return nil }
        var place = CopyFormat.signature.count + 4
        guard let rest = piece.integer(Int32.self, &place), rest >= 0 else { return nil }
        return place + Int(rest)
    }
}

extension UnsafeRawBufferPointer {
    /// Reads a number, and goes on behind it.
    @inline(__always)
    fileprivate func integer<Number: FixedWidthInteger>(_ type: Number.Type, _ place: inout Int) -> Number? {
        let end = place + MemoryLayout<Number>.size
        guard end <= count else { return nil }
        defer { place = end }
        return bigEndian(type, at: place)
    }
}
#endif
