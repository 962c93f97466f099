@testable import ContextCore

/// An edit of objects of a context, which a step selects.
struct GraphEdit {
    private typealias Relation = GraphModel.Relation
    private static let texts = ["a", "B", "Äpfel", "ÖL", "straße", "Zoë"]

    let step: GraphStep
    let worker: GraphWorker
    /// Appends a line to the log.
    let write: (String) -> Void
    private var world: GraphWorld { worker.world }

    /// Executes the edit; returns false if the context has no object for it.
    func run() throws -> Bool {
        switch step.kind {
        case .insert: try insert()
        case .setText, .setNumber, .delete: try editObject()
        case .setOne, .clearOne, .setPartner: try setOne()
        case .addMember, .removeMember, .assignMembers: try editMembers()
        default: try editList()
        }
    }

    private func pick(_ numbers: [Int], _ choice: Int) -> Int? {
        numbers.isEmpty ? nil : numbers[choice % numbers.count]
    }

    private func object(_ number: Int?) -> ManagedObject? { number.flatMap { worker.objects[$0] } }

    private func insert() throws -> Bool {
        let kind = GraphModel.kinds[step.a % GraphModel.kinds.count]
        let object = try worker.context.insert(kind)
        try worker.context.obtainPermanentIDs(for: [object])
        try object.set("text", to: Self.texts[step.b % Self.texts.count])
        try object.set("number", to: Int64(step.c % 9))
        write("insert \(worker.label(object)), number = \(step.c % 9)")
        return true
    }

    private func editObject() throws -> Bool {
        guard let number = pick(world.nodes.keys.sorted(), step.a), let object = object(number) else {
            return false
        }
        let label = worker.label(number)
        switch step.kind {
        case .setText:
            let text = Self.texts[step.b % Self.texts.count]
            write("\(label).text = \(text)")
            try object.set("text", to: text)
        case .setNumber:
            let value = step.b % 7 == 0 ? nil : Int64(step.b % 9)
            write("\(label).number = \(value.map(String.init) ?? "nil")")
            try object.set("number", to: value)
        default:
            write("delete \(label)")
            worker.context.delete(object)
        }
        return true
    }

    // MARK: To-one relationships

    private func setOne() throws -> Bool {
        let relations = GraphModel.relations.filter { relation in
            !relation.isMany
                && (step.kind != .setPartner || !GraphModel.inverse(of: relation).isMany)
        }
        let relation = relations[step.a % relations.count]
        guard let number = pick(world.numbers(of: relation.kind), step.b), let object = object(number) else {
            return false
        }
        // Exclude an object as its own partner, which no rule covers.
        let target =
            step.kind == .clearOne
            ? nil : pick(world.numbers(of: relation.destination).filter { $0 != number }, step.c)
        write("\(worker.label(number)).\(relation.name) = \(target.map(worker.label) ?? "nil")")
        try object.set(relation.name, to: self.object(target))
        return true
    }

    // MARK: To-many relationships

    private func editMembers() throws -> Bool {
        let relations = GraphModel.relations.filter { $0.isMany && !$0.isOrdered }
        let relation = relations[step.a % relations.count]
        guard let number = pick(world.numbers(of: relation.kind), step.b), let object = object(number) else {
            return false
        }
        let old = world.links(number, relation.name)
        let all = world.numbers(of: relation.destination)
        var new = old
        switch step.kind {
        case .addMember: new += [pick(all.filter { !old.contains($0) }, step.c)].compactMap { $0 }
        case .removeMember: new.removeAll { $0 == pick(old, step.c) }
        default: new = all.enumerated().filter { (step.c >> ($0.offset % 9)) % 2 == 1 }.map(\.element)
        }
        return try assign(new, in: relation, of: object, number, old)
    }

    private func editList() throws -> Bool {
        let relations = GraphModel.relations.filter(\.isOrdered)
        let relation = relations[step.a % relations.count]
        guard let number = pick(world.numbers(of: relation.kind), step.b), let object = object(number) else {
            return false
        }
        let old = world.links(number, relation.name)
        let all = world.numbers(of: relation.destination)
        var new = old
        switch step.kind {
        case .insertInList:
            guard let member = pick(all.filter { !old.contains($0) }, step.c) else { return false }
            new.insert(member, at: (step.c / 7) % (old.count + 1))
        case .removeFromList: new.removeAll { $0 == pick(old, step.c) }
        case .moveInList:
            guard let member = pick(old, step.c) else { return false }
            new.removeAll { $0 == member }
            new.insert(member, at: (step.c / 7) % (new.count + 1))
        default: new.reverse()
        }
        return try assign(new, in: relation, of: object, number, old)
    }

    private func assign(
        _ new: [Int], in relation: GraphModel.Relation, of object: ManagedObject, _ number: Int, _ old: [Int]
    ) throws -> Bool {
        if new == old { return false }
        write("\(worker.label(number)).\(relation.name) = \(new.map(worker.label).joined(separator: ", "))")
        try object.set(relation.name, to: new.compactMap { self.object($0) })
        return true
    }
}
