@testable import ContextCore

// Steps on relationships without loading them.
extension RandomGraph {
    func runMembers(_ step: RandomStep, _ relation: RandomWorld.Relation, _ id: Int) throws {
        let members = try object(id).members(named: relation.name)
        let all = world.ids(relation.destination).filter { $0 != id }
        let old = world.links(id, relation.name)
        let target = all.isEmpty ? nil : all[step.c % all.count]
        switch step.kind {
        case .membersInsert:
            guard let target else { return }
            try members.insert(object(target))
            if !old.contains(target) { world.setMany(id, relation, old + [target]) }
        case .membersRemove:
            guard let target else { return }
            try members.remove(object(target))
            if old.contains(target) { world.setMany(id, relation, old.filter { $0 != target }) }
        default: try checkMembers(members, old, all, relation, step)
        }
    }

    private func checkMembers(
        _ members: Members<ManagedObject>, _ old: [Int], _ all: [Int], _ relation: RandomWorld.Relation,
        _ step: RandomStep
    ) throws {
        let text = "\(relation.kind).\(relation.name)"
        let count = try members.count
        try expect(count == old.count, "\(text) has \(count), not \(old.count)")
        for id in all.prefix(3) {
            try expect(
                try members.contains(try object(id)) == old.contains(id), "\(text) is wrong about \(id)")
        }
        let number = Int64(step.a % 5)
        let predicate = try FetchPredicate("number >= %ld", number)
        let meant = old.filter { (world.nodes[$0]?.number ?? -1) >= number }
        try expect(try members.count(matching: predicate) == meant.count, "\(text) counts wrong")
        let found = try members.fetch(matching: predicate)
        let expected = try meant.map { try object($0) }
        try expect(
            relation.isOrdered
                ? found == expected : Set(found) == Set(expected) && found.count == expected.count,
            "\(text) finds \(names(found)), not \(meant)")
        let ranks = try (0...old.count).flatMap { offset in
            try members.fetch(matching: nil, order: SortKey.keys("number, text"), limit: 1, offset: offset)
        }.map { try "\($0["number"]) \($0["text"])" }
        let sorted = old.compactMap { world.nodes[$0] }.sorted {
            ($0.number ?? -1, $0.text) < ($1.number ?? -1, $1.text)
        }.map { "\($0.number.map(StoredValue.int) ?? .null) \(StoredValue.string($0.text))" }
        try expect(ranks == sorted, "\(text) pages \(ranks), not \(sorted)")
    }
}
