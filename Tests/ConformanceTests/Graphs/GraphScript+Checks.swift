@testable import ContextCore

// The rules that must hold after every step.
extension GraphScript {
    /// Checks that both ends of each relationship agree in a context that has merged all changes.
    ///
    /// A context that has not merged shows values that it has read at different times.
    func check(_ worker: GraphWorker) throws {
        if worker.isBehind { return }
        try expectAgreement(of: worker.world, .inverses, oneToOne: .inverses, "\(worker.name)")
    }

    /// Checks that both ends of each relationship agree in the store, and that derived attributes match their definitions.
    func checkStore() throws {
        try expectAgreement(of: stored, .storedInverses, oneToOne: .columns, "store")
        for (number, node) in stored.nodes.sorted(by: { $0.key < $1.key }) {
            for derived in GraphModel.derived(of: node.kind)
            where derived.derivation != .now && isChecked(derived: derived.name) {
                let expected = stored.value(of: derived.derivation, number)
                let found = node.derived[derived.name] ?? .null
                try expect(
                    .derived, found == expected,
                    "store: \(node.kind)\(number).\(derived.name) is \(found), not \(expected)")
            }
        }
    }

    private func expectAgreement(
        of world: GraphWorld, _ rule: GraphDifference.Rule, oneToOne: GraphDifference.Rule, _ place: String
    ) throws {
        for (number, node) in world.nodes.sorted(by: { $0.key < $1.key }) {
            for relation in GraphModel.relations(of: node.kind) {
                let inverse = GraphModel.inverse(of: relation)
                let members = node.links[relation.name] ?? []
                try expect(
                    rule, Set(members).count == members.count,
                    "\(place): \(node.kind)\(number).\(relation.name) is \(members)")
                for member in members {
                    let back = world.links(member, inverse.name)
                    let name = "\(node.kind)\(number).\(relation.name)"
                    try expect(
                        !relation.isMany && !inverse.isMany ? oneToOne : rule, back.contains(number),
                        "\(place): \(name) holds \(member), whose \(inverse.name) is \(back)")
                }
            }
        }
    }
}

extension GraphWorld {
    /// Computes a derived attribute by its definition.
    func value(of derivation: Derivation, _ number: Int) -> StoredValue {
        switch derivation {
        case .now: .null
        case .copy(let path): follow(path, number)
        case .lowercased(let path): mapText(follow(path, number), TextFolding.lowercased)
        case .canonical(let path):
            mapText(follow(path, number)) { TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive]) }
        case .count(let name): .int(Int64(links(number, name).count))
        case .sum(let name, _): .int(values(number, name).reduce(0, +))
        case .minimum(let name, _): values(number, name).min().map(StoredValue.int) ?? .null
        case .maximum(let name, _): values(number, name).max().map(StoredValue.int) ?? .null
        }
    }

    private func mapText(_ value: StoredValue, _ transform: (String) -> String) -> StoredValue {
        if case .string(let text) = value { .string(transform(text)) } else { .null }
    }

    private func values(_ number: Int, _ name: String) -> [Int64] {
        links(number, name).compactMap { nodes[$0]?.number }
    }

    private func follow(_ path: String, _ number: Int) -> StoredValue {
        var number = number
        var names = path.split(separator: ".").map(String.init)
        let last = names.popLast()
        for name in names {
            guard let next = links(number, name).first else { return .null }
            number = next
        }
        if last == "text" { return nodes[number].map { .string($0.text) } ?? .null }
        return nodes[number]?.number.map(StoredValue.int) ?? .null
    }
}
