@testable import ContextCore

/// Numbers objects in the order in which a script meets them, in all contexts alike.
final class GraphNumbers {
    private var numbers: [ObjectID: Int] = [:]

    /// The number of an object, which has its permanent identifier.
    func number(of object: ManagedObject) -> Int {
        if let known = numbers[object.objectID] { return known }
        let number = numbers.count
        numbers[object.objectID] = number
        return number
    }
}
