extension String {
    /// Tells whether the text stands before another when both are sorted by their UTF-8 bytes, as every store sorts them.
    package func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension Sequence {
    /// Sorts by the UTF-8 bytes of a name.
    package func sortedByBytes(of name: (Element) -> String) -> [Element] {
        sorted { name($0).precedes(name($1)) }
    }
}
