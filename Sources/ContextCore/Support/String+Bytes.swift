import Foundation

extension String {
    /// Tells whether the text stands before another when both are sorted by their UTF-8 bytes, as every store sorts them.
    package func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Hands over the text's UTF-8 bytes.
    @inline(__always)
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        // Nearly all texts lend their bytes, and are not even counted for it; to have the others do so they are copied.
        if let value = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return value
        }
        var copy = self
        return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// Whether the text has the character NUL, at which databases end a text.
    package var containsNUL: Bool {
        // The bytes themselves are looked through ten times as quickly as the view of them.
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }
}

extension Sequence {
    /// Sorts by the UTF-8 bytes of a name.
    package func sortedByBytes(of name: (Element) -> String) -> [Element] {
        sorted { name($0).precedes(name($1)) }
    }
}
