/// A map from Unicode scalars to one scalar or none, in pages of 256.
final class ScalarMap: Sendable {
    /// What a scalar maps to that is removed.
    private static let removed = UInt32.max

    static let lowercase = ScalarMap(pairs(TextFoldingTable.lowercase))
    static let uppercase = ScalarMap(pairs(TextFoldingTable.uppercase))
    private static let withoutCase = ScalarMap(caseFolding)
    private static let withoutMarks = ScalarMap(markFolding)
    private static let withoutBoth = ScalarMap(
        caseFolding.merging(markFolding.mapValues { caseFolding[$0] ?? $0 }) { _, marked in marked })

    /// The map that the options ask for; nil when they ask for nothing.
    static func folding(_ options: TextOptions) -> ScalarMap? {
        switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
        case (false, false): nil
        case (true, false): withoutCase
        case (false, true): withoutMarks
        case (true, true): withoutBoth
        }
    }

    /// The page of each 256 scalars, or nil when they all stay what they are.
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

    /// What a scalar becomes; nil when it is removed.
    func target(of scalar: UInt32) -> UInt32? {
        // Damaged text can hold what is no scalar.
        guard scalar < 0x110000 else { return 0xFFFD }
        guard let page = pages[Int(scalar >> 8)] else { return scalar }
        let target = page[Int(scalar & 0xFF)]
        return target == Self.removed ? nil : target
    }

    /// All scalars that become others, or nothing.
    var changes: [(scalar: UInt32, target: UInt32?)] {
        pages.enumerated().flatMap { index, page in
            (page ?? []).enumerated().compactMap { offset, target in
                let scalar = UInt32(index << 8 | offset)
                return target == scalar ? nil : (scalar, target == Self.removed ? nil : target)
            }
        }
    }

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
    /// Maps UTF-8 to UTF-8, and returns how many bytes were written.
    ///
    /// No scalar's target is more than half as long again as the scalar.
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

/// Scalars in UTF-8 that is known to be well formed.
enum UTF8Scalar {
    /// The scalar at a place, and how many bytes it has.
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

    /// Writes a scalar, and returns how many bytes it has.
    @inline(__always)
    static func encode(_ scalar: UInt32, _ result: UnsafeMutableBufferPointer<UInt8>, at index: Int) -> Int {
        func put(_ offset: Int, _ byte: UInt32) { result[index + offset] = UInt8(truncatingIfNeeded: byte) }
        func tail(_ shift: UInt32) -> UInt32 { 0x80 | scalar >> shift & 0x3F }
        switch scalar {
        case ..<0x80:
            put(0, scalar)
            return 1
        case ..<0x800:
            put(0, 0xC0 | scalar >> 6)
            put(1, tail(0))
            return 2
        case ..<0x10000:
            put(0, 0xE0 | scalar >> 12)
            put(1, tail(6))
            put(2, tail(0))
            return 3
        default:
            put(0, 0xF0 | scalar >> 18)
            put(1, tail(12))
            put(2, tail(6))
            put(3, tail(0))
            return 4
        }
    }
}

// MARK: - Tables

extension ScalarMap {
    /// Runs of first, last, step and what is added.
    private static func pairs(_ table: [Int32]) -> [UInt32: UInt32] {
        var pairs: [UInt32: UInt32] = [:]
        for start in stride(from: 0, to: table.count, by: 4) {
            for scalar in stride(from: table[start], through: table[start + 1], by: Int(table[start + 2])) {
                pairs[UInt32(scalar)] = UInt32(scalar + table[start + 3])
            }
        }
        return pairs
    }

    /// The lower case of the upper case, where that is another scalar.
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
