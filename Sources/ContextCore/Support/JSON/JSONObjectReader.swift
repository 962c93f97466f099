/// Reads the members of a JSON object by name and type, and refuses those that nobody asked for.
///
/// Mistakes are collected, and what is wrong reads as if it were not there; so one pass finds all of them.
package struct JSONObjectReader {
    /// Where the object begins.
    package let position: JSONPosition
    /// What is wrong.
    package let problems: JSONProblems
    private let members: [String: JSONMember]
    private var asked: Set<String> = []
    private let what: String

    /// Begins to read an object, or reports that the value is none.
    ///
    /// - Parameter what: What the object describes, for messages: "an attribute".
    package init?(_ node: JSONNode, as what: String, _ problems: JSONProblems) {
        guard case .object(let members) = node.content else {
            problems.report("This is \(node.kindName), but \(what) is an object.", at: node.position)
            return nil
        }
        position = node.position
        self.problems = problems
        self.what = what
        self.members = Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The member of a name; nil when there is none.
    package mutating func member(_ name: String) -> JSONMember? {
        asked.insert(name)
        return members[name]
    }

    /// The string of a name; nil when there is none.
    package mutating func string(_ name: String) -> String? {
        read(name, "a string") { if case .string(let text) = $0.content { text } else { nil } }
    }

    /// Whether a flag is given as true.
    package mutating func flag(_ name: String) -> Bool {
        read(name, "true or false") { if case .bool(let value) = $0.content { value } else { nil } } ?? false
    }

    /// The whole number of a name; nil when there is none.
    package mutating func int(_ name: String) -> Int? {
        read(name, "a whole number") { node in
            if case .number(let number) = node.content {
                number.int64.flatMap(Int.init(exactly:))
            } else {
                nil
            }
        }
    }

    /// The elements of the array of a name; none when there is no array.
    package mutating func array(_ name: String) -> [JSONNode] {
        read(name, "an array") { if case .array(let nodes) = $0.content { nodes } else { nil } } ?? []
    }

    /// The members of the object of a name; none when there is no object.
    package mutating func object(_ name: String) -> [JSONMember] {
        read(name, "an object") { if case .object(let members) = $0.content { members } else { nil } } ?? []
    }

    /// One of some words; nil when there is none.
    package mutating func choice<Choice>(_ name: String, _ choices: [String: Choice]) -> Choice? {
        guard let word = string(name), let position = members[name]?.value.position else { return nil }
        if let choice = choices[word] { return choice }
        let known = choices.keys.sortedByBytes { $0 }
        problems.report(
            "“\(name)” can't be “\(word)”"
                + (Spelling.nearest(to: word, among: known).map { ": did you mean “\($0)”?" }
                    ?? ", only one of \(known.map { "“\($0)”" }.joined(separator: ", "))."),
            at: position)
        return nil
    }

    /// Reports that a member must be there, unless it is.
    package mutating func require(_ name: String) {
        guard member(name) == nil else { return }
        problems.report("\(sentence(what)) needs “\(name)”: add it.", at: position)
    }

    /// Reports every member that nobody asked for.
    package func refuseOthers() {
        let known = asked.sortedByBytes { $0 }
        for member in members.values.sorted(by: { $0.position < $1.position })
        where !asked.contains(member.name) {
            let hint = Spelling.nearest(to: member.name, among: known).map { ": did you mean “\($0)”?" }
            problems.report(
                "\(sentence(what)) has no “\(member.name)”\(hint ?? ": remove it.")", at: member.position)
        }
    }

    private mutating func read<Value>(
        _ name: String, _ expected: String, _ convert: (JSONNode) -> Value?
    ) -> Value? {
        guard let node = member(name)?.value else { return nil }
        if let value = convert(node) { return value }
        problems.report("“\(name)” must be \(expected), not \(node.kindName).", at: node.position)
        return nil
    }

    private func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
