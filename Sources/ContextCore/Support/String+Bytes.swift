import Foundation

extension String {
    /// Whether the string sorts before another by their UTF-8 bytes, which is the order of every store.
    package func precedesByBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Calls a closure with the string's UTF-8 bytes.
    @inline(__always)
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        // Native strings provide their bytes without a copy or reference counting; others are copied.
        if let value = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return value
        }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Whether the string contains the character NUL, at which databases truncate strings.
    package var containsNUL: Bool {
        // memchr on the bytes is about ten times as fast as searching the UTF-8 view.
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }
}

extension Sequence {
    /// Sorts by the UTF-8 bytes of a name.
    package func sortedByBytes(of name: (Element) -> String) -> [Element] {
        sorted { name($0).precedesByBytes(name($1)) }
    }
}
