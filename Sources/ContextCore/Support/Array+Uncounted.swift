// Walks over many objects: to count a reference to each up and down takes longer than most of what is done with it.
extension Array where Element: AnyObject {
    /// Hands over one element after the other without counting it, since the array has them all as long as this goes on.
    @inline(__always)
    func forEachUncounted(_ body: (Element) throws -> Void) rethrows {
        try withReferences { references in
            for reference in references { try reference.withUncounted(body) }
        }
    }

    /// Whether all elements fulfil a condition; none is counted, as above.
    @inline(__always)
    func allSatisfyUncounted(_ condition: (Element) -> Bool) -> Bool {
        withReferences { $0.allSatisfy { $0.withUncounted(condition) } }
    }

    @inline(__always)
    private func withReferences<Value>(
        _ body: (UnsafeBufferPointer<Unmanaged<Element>>) throws -> Value
    ) rethrows -> Value {
        try withUnsafeBufferPointer { elements in
            // A reference that nobody counts lies in memory as one that is counted.
            try elements.withMemoryRebound(to: Unmanaged<Element>.self, body)
        }
    }
}
