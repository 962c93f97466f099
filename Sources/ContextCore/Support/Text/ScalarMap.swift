/// A mapping of each Unicode scalar to one scalar or none, in pages of 256.
final class ScalarMap: Sendable {
    /// The target of a scalar that is removed.
    private static let removed = UInt32.max

    static let lowercase = ScalarMap(pairs(TextFoldingTable.lowercase))
    static let uppercase = ScalarMap(pairs(TextFoldingTable.uppercase))
    private static let withoutCase = ScalarMap(caseFolding)
    private static let withoutMarks = ScalarMap(markFolding)
    private static let withoutBoth = ScalarMap(
        caseFolding.merging(markFolding.mapValues { caseFolding[$0] ?? $0 }) { _, marked in marked })

    /// Returns the map for folding with options; nil if the options are empty.
    static func folding(_ options: TextOptions) -> ScalarMap? {
        switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
        case (false, false): nil
        case (true, false): withoutCase
        case (false, true): withoutMarks
        case (true, true): withoutBoth
        }
    }

    /// The targets of each 256 scalars; nil if all of them map to themselves.
    private let pages: [[UInt32]?]

    private init(_ pairs: [UInt32: UInt32]) {
        var pages = [[UInt32]?](repeating: nil, count: 0x1100)
        for (scalar, target) in pairs {
            let page = Int(scalar >> 8)
            if pages[page] == nil { pages[page] = (0..<256).map { scalar & ~0xFF | $0 } }
            pages[page]?[Int(scalar & 0xFF)] = target
        }
        self.pages = pages
    }

    /// Returns the target of a scalar; nil if it is removed.
    func target(of scalar: UInt32) -> UInt32? {
        // Invalid UTF-8 can decode to a number that is not a scalar.
        guard scalar < 0x110000 else { return 0xFFFD }
        guard let page = pages[Int(scalar >> 8)] else { return scalar }
        let target = page[Int(scalar & 0xFF)]
        return target == Self.removed ? nil : target
    }

    /// The scalars that don't map to themselves.
    var changes: [(scalar: UInt32, target: UInt32?)] {
        pages.enumerated().flatMap { index, page in
            (page ?? []).enumerated().compactMap { offset, target in
                let scalar = UInt32(index << 8 | offset)
                return target == scalar ? nil : (scalar, target == Self.removed ? nil : target)
            }
        }
    }

    /// The mapping as the arguments of SQL's `translate`, with the removed scalars last.
    var translation: (from: String, to: String) {
        var from = String.UnicodeScalarView()
        var to = String.UnicodeScalarView()
        for change in changes.sorted(by: { ($0.target == nil ? 1 : 0) < ($1.target == nil ? 1 : 0) }) {
            if let scalar = Unicode.Scalar(change.scalar) { from.append(scalar) }
            if let target = change.target.flatMap(Unicode.Scalar.init) { to.append(target) }
        }
        return (String(from), String(to))
    }
}

// MARK: - Bytes

extension ScalarMap {
    /// Maps UTF-8 bytes and returns the number of bytes written.
    ///
    /// A target is at most 1.5 times as long as its scalar.
    func apply(to text: UnsafeRawBufferPointer, _ result: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var read = 0
        var written = 0
        let ascii = pages[0]
        while read < text.count {
            let byte = text[read]
            if byte < 0x80, let target = ascii?[Int(byte)], target < 0x80 {
                result[written] = UInt8(truncatingIfNeeded: target)
                read += 1
                written += 1
                continue
            }
            let (scalar, length) = UTF8Scalar.decode(text, at: read)
            read += length
            guard let target = target(of: scalar) else { continue }
            written += UTF8Scalar.encode(target, result, at: written)
        }
        return written
    }
}

/// Decodes and encodes scalars in valid UTF-8.
enum UTF8Scalar {
    /// Decodes the scalar at an index and returns its length in bytes.
    @inline(__always)
    static func decode(_ text: UnsafeRawBufferPointer, at index: Int) -> (scalar: UInt32, length: Int) {
        let first = UInt32(text[index])
        func next(_ offset: Int) -> UInt32 {
            index + offset < text.count ? UInt32(text[index + offset] & 0x3F) : 0
        }
        if first < 0x80 { return (first, 1) }
        if first < 0xE0 { return ((first & 0x1F) << 6 | next(1), 2) }
        if first < 0xF0 { return ((first & 0x0F) << 12 | next(1) << 6 | next(2), 3) }
        return ((first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4)
    }

    /// Encodes a scalar and returns its length in bytes.
    @inline(__always)
    static func encode(_ scalar: UInt32, _ result: UnsafeMutableBufferPointer<UInt8>, at index: Int) -> Int {
        func store(_ offset: Int, _ byte: UInt32) { result[index + offset] = UInt8(truncatingIfNeeded: byte) }
        func tail(_ shift: UInt32) -> UInt32 { 0x80 | scalar >> shift & 0x3F }
        switch scalar {
        case ..<0x80:
            store(0, scalar)
            return 1
        case ..<0x800:
            store(0, 0xC0 | scalar >> 6)
            store(1, tail(0))
            return 2
        case ..<0x10000:
            store(0, 0xE0 | scalar >> 12)
            store(1, tail(6))
            store(2, tail(0))
            return 3
        default:
            store(0, 0xF0 | scalar >> 18)
            store(1, tail(12))
            store(2, tail(6))
            store(3, tail(0))
            return 4
        }
    }
}

// MARK: - Tables

extension ScalarMap {
    /// Expands a table of runs.
    private static func pairs(_ table: [Int32]) -> [UInt32: UInt32] {
        var pairs: [UInt32: UInt32] = [:]
        for start in stride(from: 0, to: table.count, by: 4) {
            for scalar in stride(from: table[start], through: table[start + 1], by: Int(table[start + 2])) {
                pairs[UInt32(scalar)] = UInt32(scalar + table[start + 3])
            }
        }
        return pairs
    }

    /// The lowercase of each scalar's uppercase, if that is a different scalar.
    private static let caseFolding: [UInt32: UInt32] = {
        let lower = pairs(TextFoldingTable.lowercase)
        let upper = pairs(TextFoldingTable.uppercase)
        var folding: [UInt32: UInt32] = [:]
        for scalar in Set(lower.keys).union(upper.keys) {
            let top = upper[scalar] ?? scalar
            let target = lower[top] ?? top
            if target != scalar { folding[scalar] = target }
        }
        return folding
    }()

    private static let markFolding: [UInt32: UInt32] = {
        var folding: [UInt32: UInt32] = [:]
        let bases = TextFoldingTable.bases
        for start in stride(from: 0, to: bases.count, by: 4) {
            for scalar in stride(from: bases[start], through: bases[start + 1], by: Int(bases[start + 2])) {
                folding[UInt32(scalar)] = UInt32(bases[start + 3])
            }
        }
        let marks = TextFoldingTable.marks
        for start in stride(from: 0, to: marks.count, by: 2) {
            for mark in marks[start]...marks[start + 1] { folding[UInt32(mark)] = removed }
        }
        return folding
    }()
}
