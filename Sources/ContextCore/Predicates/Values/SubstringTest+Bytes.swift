import Foundation

extension SubstringTest {
    /// Whether a string passes the test for a substring, byte for byte.
    package func holds(_ text: String, _ part: String) -> Bool {
        text.withBytes { text in part.withBytes { holds(text, $0) } }
    }

    /// Whether bytes pass the test for a subsequence of bytes.
    package func holds(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= text.count else { return false }
        guard let start = text.baseAddress, let sought = part.baseAddress, !part.isEmpty else { return true }
        switch self {
        case .beginsWith: return memcmp(start, sought, part.count) == 0
        case .endsWith: return memcmp(start + (text.count - part.count), sought, part.count) == 0
        case .contains:
            return part.count <= Self.naiveSearchLimit
                ? Self.containsBytes(sought, part.count, start, text.count) : Self.containsBytes(part, text)
        }
    }

    /// The maximum length in bytes of a part that the naive search looks for, which is quadratic in the worst case.
    private static let naiveSearchLimit = 64

    private static func containsBytes(
        _ sought: UnsafeRawPointer, _ length: Int, _ text: UnsafeRawPointer, _ count: Int
    ) -> Bool {
        let first = Int32(sought.load(as: UInt8.self))
        var place = text
        var left = count
        while left >= length, let found = memchr(place, first, left - length + 1) {
            if memcmp(found, sought, length) == 0 { return true }
            left -= UnsafeRawPointer(found) - place + 1
            place = UnsafeRawPointer(found) + 1
        }
        return false
    }

    /// Searches with the Knuth-Morris-Pratt algorithm, in linear time.
    private static func containsBytes(_ part: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Bool
    {
        var borders = [0]
        var length = 0
        for index in 1..<part.count {
            while length > 0, part[index] != part[length] { length = borders[length - 1] }
            if part[index] == part[length] { length += 1 }
            borders.append(length)
        }
        length = 0
        for byte in text {
            while length > 0, byte != part[length] { length = borders[length - 1] }
            if byte == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}
