import Foundation

@testable import ContextCore

// The effect of each step on the context and on the expected world.
extension RandomGraph {
    func run(_ steps: [RandomStep]) throws {
        for (index, step) in steps.enumerated() {
            let before = world
            let groups = context.undoNames.count
            do {
                if try !runWhole(step) {
                    try runEdit(step)
                    context.processPendingChanges()
                    if context.undoNames.count > groups {
                        levels[levels.count - 1].past.append(before)
                        levels[levels.count - 1].future = []
                    }
                }
                if index % 3 == 2, let id = world.nodes.keys.sorted().dropFirst(step.c % 5).first {
                    try compare(id)
                }
                if index == steps.count - 1 { try compareAll() }
            } catch let error as Difference {
                throw Difference(description: "step \(index) \(step): \(error)")
            } catch {
                throw Difference(description: "step \(index) \(step): \(String(reflecting: error))")
            }
        }
        try finish()
    }

    /// Saves everything at the end, and compares a new context.
    private func finish() throws {
        while levels.count > 1 { try saveChild() }
        try save()
        try compareFresh()
    }

    private func pick(_ kind: String, _ number: Int) -> Int? {
        let ids = world.ids(kind)
        return ids.isEmpty ? nil : ids[number % ids.count]
    }

    private func pickRelation(_ step: RandomStep, isMany: Bool? = nil, isOrdered: Bool? = nil)
        -> RandomWorld.Relation
    {
        let fitting = RandomWorld.relations.filter {
            (isMany == nil || $0.isMany == isMany) && (isOrdered == nil || $0.isOrdered == isOrdered)
        }
        return fitting[step.a % fitting.count]
    }

    private func anyNode(_ number: Int) -> Int? {
        let ids = world.nodes.keys.sorted()
        return ids.isEmpty ? nil : ids[number % ids.count]
    }

    // MARK: Edits

    private func runEdit(_ step: RandomStep) throws {
        switch step.kind {
        case .insert, .insertLinked, .insertMany, .delete, .deleteTwo, .deleteAll, .insertAndDelete:
            try runLife(step)
        case .setNumber, .clearNumber, .setText, .setSameValues, .setNumberBackAndForth: try runValue(step)
        case .setOne, .clearOne, .setOneBackAndForth, .moveOne: try runReference(step)
        case .insertFirst, .reverseOrder, .rotateOrder, .removeFirst: try runOrder(step)
        case .group:
            try context.undoGroup("group") {
                try runValue(RandomStep(kind: .setNumber, a: step.a, b: step.b, c: step.c))
                try runReference(RandomStep(kind: .setOne, a: step.a, b: step.b, c: step.c))
                try runCollection(RandomStep(kind: .assignMany, a: step.b, b: step.a, c: step.c))
            }
        default: try runCollection(step)
        }
    }

    private func runLife(_ step: RandomStep) throws {
        let kind = RandomWorld.kinds[step.a % RandomWorld.kinds.count]
        switch step.kind {
        case .insert: _ = try insert(kind)
        case .insertMany: for _ in 0..<3 { _ = try insert(kind) }
        case .insertLinked:
            let id = try insert("Item")
            try setOne(id, RandomWorld.relation("Item", "box"), pick("Box", step.b))
            try setOne(id, RandomWorld.relation("Item", "line"), pick("Box", step.c))
        case .insertAndDelete: try delete(insert(kind))
        case .deleteAll: for id in world.ids(kind) { try delete(id) }
        case .deleteTwo:
            for number in [step.b, step.c] { if let id = anyNode(number) { try delete(id) } }
        default: if let id = anyNode(step.b) { try delete(id) }
        }
    }

    private func runValue(_ step: RandomStep) throws {
        guard let id = anyNode(step.a), let node = world.nodes[id] else { return }
        let object = try object(id)
        switch step.kind {
        case .setNumber: try setNumber(id, Int64(step.b % 5))
        case .clearNumber: try setNumber(id, nil)
        case .setText:
            try object.set("text", to: "text \(step.b % 4)")
            world.nodes[id]?.text = "text \(step.b % 4)"
        case .setNumberBackAndForth:
            try setNumber(id, 99)
            try setNumber(id, node.number)
        default:
            let changed = object.hasChanges
            try object.set("text", to: node.text)
            try object.set("number", toStored: node.number.map(StoredValue.int) ?? .null)
            try expect(object.hasChanges == changed, "Setting \(id) to its value is a change")
        }
    }

    private func setNumber(_ id: Int, _ number: Int64?) throws {
        try object(id).set("number", toStored: number.map(StoredValue.int) ?? .null)
        world.nodes[id]?.number = number
    }

    private func runReference(_ step: RandomStep) throws {
        let relation = pickRelation(step, isMany: false)
        guard let id = pick(relation.kind, step.b) else { return }
        let old = world.links(id, relation.name).first
        let target = pick(relation.destination, step.c).flatMap { $0 == id ? nil : $0 }
        switch step.kind {
        case .clearOne: try setOne(id, relation, nil)
        case .setOneBackAndForth:
            if relation.inverse == relation.name
                || !RandomWorld.relation(relation.destination, relation.inverse).isMany
            {
                return try setOne(id, relation, target)
            }
            try setOne(id, relation, target)
            try setOne(id, relation, old)
        case .moveOne:
            guard let other = pick(relation.kind, step.c), other != id, old != other else { return }
            try setOne(other, relation, old)
        default: try setOne(id, relation, target)
        }
    }

    private func setOne(_ id: Int, _ relation: RandomWorld.Relation, _ target: Int?) throws {
        try object(id).set(relation.name, to: target.map { try object($0) })
        world.setOne(id, relation, target)
    }

    private func runCollection(_ step: RandomStep) throws {
        let relation = pickRelation(step, isMany: true)
        guard let id = pick(relation.kind, step.b) else { return }
        let old = world.links(id, relation.name)
        let all = world.ids(relation.destination).filter { $0 != id }
        let target = all.isEmpty ? nil : all[step.c % all.count]
        switch step.kind {
        case .membersInsert, .membersRemove, .membersAsk: try runMembers(step, relation, id)
        case .addMany: try setMany(id, relation, old + (target.map { old.contains($0) ? [] : [$0] } ?? []))
        case .removeMany: try setMany(id, relation, old.filter { $0 != target })
        case .clearMany: try setMany(id, relation, [])
        case .assignSameMany: try setMany(id, relation, old)
        case .addUnloaded:
            // Set the inverse, so that this relationship need not be loaded.
            let inverse = RandomWorld.relation(relation.destination, relation.inverse)
            guard let target else { return }
            if !inverse.isMany { return try setOne(target, inverse, id) }
            let others = world.links(target, inverse.name)
            if !others.contains(id) { try setMany(target, inverse, others + [id]) }
        default: try setMany(id, relation, all.filter { ($0 &* 7 &+ step.c) % 3 != 0 })
        }
    }

    private func runOrder(_ step: RandomStep) throws {
        let relation = pickRelation(step, isMany: true, isOrdered: true)
        guard let id = pick(relation.kind, step.b) else { return }
        let old = world.links(id, relation.name)
        switch step.kind {
        case .insertFirst:
            guard let target = pick(relation.destination, step.c) else { return }
            try setMany(id, relation, [target] + old.filter { $0 != target })
        case .reverseOrder: try setMany(id, relation, old.reversed())
        case .removeFirst: try setMany(id, relation, Array(old.dropFirst()))
        default: try setMany(id, relation, Array(old.dropFirst() + old.prefix(1)))
        }
    }

    private func setMany(_ id: Int, _ relation: RandomWorld.Relation, _ targets: [Int]) throws {
        try object(id).set(relation.name, to: targets.map { try object($0) })
        world.setMany(id, relation, targets)
    }

    private func delete(_ id: Int) throws {
        context.delete(try object(id))
        world.delete(id)
    }
}
