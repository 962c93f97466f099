// Iteration over many objects without reference counting, which would cost more than most loop bodies.
extension Array where Element: AnyObject {
    /// Calls a closure with each element without retaining it; the array keeps the elements alive during the call.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try withReferences { references in
            for reference in references { try reference.withUnretained(body) }
        }
    }

    /// Whether all elements satisfy a condition, tested without retaining them.
    @inline(__always)
    func allSatisfyUnretained(_ condition: (Element) -> Bool) -> Bool {
        withReferences { $0.allSatisfy { $0.withUnretained(condition) } }
    }

    @inline(__always)
    private func withReferences<Value>(
        _ body: (UnsafeBufferPointer<Unmanaged<Element>>) throws -> Value
    ) rethrows -> Value {
        try withUnsafeBufferPointer { elements in
            // Unmanaged has the same memory layout as a strong reference.
            try elements.withMemoryRebound(to: Unmanaged<Element>.self, body)
        }
    }
}
