@testable import ContextCore

/// The numbers of objects, assigned in the order in which a script encounters them, and equal in all contexts.
final class GraphNumbers {
    private var numbers: [ObjectID: Int] = [:]

    /// Returns the number of an object, which must have its permanent identifier.
    func number(of object: ManagedObject) -> Int {
        if let known = numbers[object.objectID] { return known }
        let number = numbers.count
        numbers[object.objectID] = number
        return number
    }
}
