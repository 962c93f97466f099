import ContextCore

/// Gives the entities of a newer model their numbers: those that were there keep theirs, and no number is ever given out again.
struct EntityNumbering {
    /// The number of each entity of the newer model.
    private(set) var numbers: [String: Int] = [:]
    /// All numbers that the store knows from here on, by name.
    private(set) var known: [String: Int]
    /// The entities whose numbers stood for others of their names before, which are gone.
    private(set) var returning: Set<String> = []
    /// The statements that note them.
    private(set) var statements: [SQLFragment] = []

    /// - Parameter known: The numbers that the store knows, those of entities that are gone included.
    init(_ transition: ModelTransition, known: [String: Int]) {
        self.known = known
        let matching = transition.difference.matching
        let names = transition.to.model.layouts.map(\.name)
        for name in names {
            if let origin = matching.entities[name], let number = known[origin] { numbers[name] = number }
        }
        let stays = Set(numbers.values)
        var next = (known.values.max() ?? 0) + 1
        for name in names where numbers[name] == nil {
            if let number = known[name], !stays.contains(number) {
                // An entity of this name was there before, in whatever tree: its keys must not be given out again.
                numbers[name] = number
                returning.insert(name)
            } else {
                numbers[name] = next
                next += 1
            }
        }
        note(names)
    }

    private mutating func note(_ names: [String]) {
        let table = StoreNames.entities
        let given = Set(numbers.values)
        for (name, number) in known.sorted(by: { $0.value < $1.value })
        where !given.contains(number) && numbers[name] != nil {
            // Another entity has the name now.
            let stale = "\(number) \(name)"
            statements.append(
                "UPDATE \(name: table) SET \(name: "name") = \(quoted: stale) WHERE \(name: "number") = \(number: number)"
            )
            known[name] = nil
            known[stale] = number
        }
        for name in names {
            guard let number = numbers[name], known[name] != number else { continue }
            if known.values.contains(number) {
                statements.append(
                    "UPDATE \(name: table) SET \(name: "name") = \(quoted: name) WHERE \(name: "number") = \(number: number)"
                )
            } else {
                statements.append(
                    "INSERT INTO \(name: table) (\(name: "number"), \(name: "name")) VALUES (\(number: number), \(quoted: name))"
                )
            }
        }
        known = known.filter { !given.contains($0.value) }.merging(numbers) { _, new in new }
    }
}
