import ContextCore

/// Assigns entity numbers in the newer model: existing entities keep theirs, and a number is never reused.
struct EntityNumbering {
    /// The number of each entity of the newer model.
    private(set) var numbers: [String: Int] = [:]
    /// All numbers in the store after the migration, by entity name.
    private(set) var storeNumbers: [String: Int]
    /// The new entities with the name of a removed entity, whose number they get.
    private(set) var reintroduced: Set<String> = []
    /// The statements that store the numbers.
    private(set) var statements: [SQLFragment] = []

    /// - Parameter storeNumbers: The numbers in the store, including those of removed entities.
    init(_ transition: ModelTransition, storeNumbers: [String: Int]) {
        self.storeNumbers = storeNumbers
        let matching = transition.difference.matching
        let names = transition.to.model.layouts.map(\.name)
        for name in names {
            if let origin = matching.entities[name], let number = storeNumbers[origin] {
                numbers[name] = number
            }
        }
        let stays = Set(numbers.values)
        var next = (storeNumbers.values.max() ?? 0) + 1
        for name in names where numbers[name] == nil {
            if let number = storeNumbers[name], !stays.contains(number) {
                // A removed entity of any tree had this name: its keys must not be reused.
                numbers[name] = number
                reintroduced.insert(name)
            } else {
                numbers[name] = next
                next += 1
            }
        }
        appendStatements(names)
    }

    private mutating func appendStatements(_ names: [String]) {
        let table = StoreNames.entities
        let given = Set(numbers.values)
        for (name, number) in storeNumbers.sorted(by: { $0.value < $1.value })
        where !given.contains(number) && numbers[name] != nil {
            // A different entity has the name now.
            let stale = "\(number) \(name)"
            statements.append(
                "UPDATE \(name: table) SET \(name: "name") = \(quoted: stale) WHERE \(name: "number") = \(number: number)"
            )
            storeNumbers[name] = nil
            storeNumbers[stale] = number
        }
        for name in names {
            guard let number = numbers[name], storeNumbers[name] != number else { continue }
            if storeNumbers.values.contains(number) {
                statements.append(
                    "UPDATE \(name: table) SET \(name: "name") = \(quoted: name) WHERE \(name: "number") = \(number: number)"
                )
            } else {
                statements.append(
                    "INSERT INTO \(name: table) (\(name: "number"), \(name: "name")) VALUES (\(number: number), \(quoted: name))"
                )
            }
        }
        storeNumbers = storeNumbers.filter { !given.contains($0.value) }.merging(numbers) { _, new in new }
    }
}
