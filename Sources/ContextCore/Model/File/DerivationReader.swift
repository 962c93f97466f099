/// Reads the derivation of a derived attribute: `"now"`, `{"count": "players"}` or `{"sum": "players.score"}`.
struct DerivationReader {
    let problems: JSONProblems

    func derivation(_ node: JSONNode) -> Derivation? {
        if case .string("now") = node.content { return .now }
        guard case .object(let members) = node.content, members.count == 1, let member = members.first else {
            problems.report(
                "A derivation must be “now”, or an object with one of \(Self.list).",
                at: node.position)
            return nil
        }
        guard let make = Self.kinds[member.name] else {
            let nearest = Spelling.nearest(to: member.name, among: Self.kinds.keys.sortedByBytes { $0 })
            problems.report(
                "There is no derivation “\(member.name)”"
                    + (nearest.map { ": did you mean “\($0)”?" } ?? ": use one of \(Self.list)."),
                at: member.position)
            return nil
        }
        guard case .string(let path) = member.value.content else {
            problems.report(
                "“\(member.name)” must be a string, not \(member.value.kindName).", at: member.value.position)
            return nil
        }
        guard let derivation = make(path) else {
            problems.report(
                "“\(member.name)” needs a to-many relationship and an attribute, as in “players.score”.",
                at: member.value.position)
            return nil
        }
        return derivation
    }

    private static let list = kinds.keys.sortedByBytes { $0 }.map { "“\($0)”" }.joined(separator: ", ")

    private static let kinds: [String: @Sendable (String) -> Derivation?] = [
        "lowercased": { .lowercased(path: $0) },
        "canonical": { .canonical(path: $0) },
        "copy": { .copy(path: $0) },
        "count": { .count(relationship: $0) },
        "sum": { path in split(path).map { .sum(relationship: $0, attribute: $1) } },
        "minimum": { path in split(path).map { .minimum(relationship: $0, attribute: $1) } },
        "maximum": { path in split(path).map { .maximum(relationship: $0, attribute: $1) } },
    ]

    private static func split(_ path: String) -> (String, String)? {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return names.count == 2 ? (names[0], names[1]) : nil
    }
}
