/// A first-in, first-out queue.
struct FIFOQueue<Element> {
    private var elements: [Element?] = []
    private var first = 0

    var count: Int { elements.count - first }
    var isEmpty: Bool { first == elements.count }

    /// Adds an element at the end.
    mutating func append(_ element: Element) { elements.append(element) }

    /// Removes the first element for which a closure returns true; returns false if there is none.
    mutating func removeFirst(where shouldRemove: (Element) -> Bool) -> Bool {
        let index = elements[first...].firstIndex { $0.map(shouldRemove) ?? false }
        guard let index else { return false }
        elements.remove(at: index)
        return true
    }

    /// Removes and returns the first element.
    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        elements[first] = nil
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: first < 1024)
            first = 0
        } else if first > 64, first > elements.count / 2 {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }
}
