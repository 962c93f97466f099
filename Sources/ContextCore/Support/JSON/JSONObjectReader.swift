/// Reads the members of a JSON object by name and type, and reports unknown members.
///
/// Errors are collected, and an invalid member reads as if it were missing, so one pass finds all errors.
package struct JSONObjectReader {
    /// The position of the object.
    package let position: JSONPosition
    /// The collected errors.
    package let problems: JSONProblems
    private let members: [String: JSONMember]
    private var readNames: Set<String> = []
    private let noun: String

    /// Makes a reader of an object; reports an error and returns nil if the value isn't an object.
    ///
    /// - Parameter what: A noun phrase for what the object describes, for messages: "an attribute".
    package init?(_ node: JSONNode, as noun: String, _ problems: JSONProblems) {
        guard case .object(let members) = node.content else {
            problems.report("Expected a JSON object for \(noun), found \(node.kindName).", at: node.position)
            return nil
        }
        position = node.position
        self.problems = problems
        self.noun = noun
        self.members = Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the member with a name; nil if there is none.
    package mutating func member(_ name: String) -> JSONMember? {
        readNames.insert(name)
        return members[name]
    }

    /// Returns the string with a name; nil if there is none.
    package mutating func string(_ name: String) -> String? {
        read(name, "a string") { if case .string(let text) = $0.content { text } else { nil } }
    }

    /// Whether a Boolean member is true; false if there is none.
    package mutating func flag(_ name: String) -> Bool {
        read(name, "true or false") { if case .bool(let value) = $0.content { value } else { nil } } ?? false
    }

    /// Returns the integer with a name; nil if there is none.
    package mutating func int(_ name: String) -> Int? {
        read(name, "a whole number") { node in
            if case .number(let number) = node.content {
                number.int64.flatMap(Int.init(exactly:))
            } else {
                nil
            }
        }
    }

    /// Returns the elements of the array with a name; empty if there is none.
    package mutating func array(_ name: String) -> [JSONNode] {
        read(name, "an array") { if case .array(let nodes) = $0.content { nodes } else { nil } } ?? []
    }

    /// Returns the members of the object with a name; empty if there is none.
    package mutating func object(_ name: String) -> [JSONMember] {
        read(name, "an object") { if case .object(let members) = $0.content { members } else { nil } } ?? []
    }

    /// Returns the choice that the string with a name selects; nil if there is none, or if it is no choice.
    package mutating func choice<Choice>(_ name: String, _ choices: [String: Choice]) -> Choice? {
        guard let word = string(name), let position = members[name]?.value.position else { return nil }
        if let choice = choices[word] { return choice }
        let known = choices.keys.sortedByBytes { $0 }
        problems.report(
            "“\(name)” can't be “\(word)”"
                + (Spelling.nearest(to: word, among: known).map { ": did you mean “\($0)”?" }
                    ?? ": use one of \(known.map { "“\($0)”" }.joined(separator: ", "))."),
            at: position)
        return nil
    }

    /// Reports an error if there is no member with a name.
    package mutating func requireMember(_ name: String) {
        guard member(name) == nil else { return }
        problems.report("\(sentence(noun)) needs “\(name)”: add it.", at: position)
    }

    /// Reports every member that wasn't read.
    package func reportUnknownMembers() {
        let known = readNames.sortedByBytes { $0 }
        for member in members.values.sorted(by: { $0.position < $1.position })
        where !readNames.contains(member.name) {
            let hint = Spelling.nearest(to: member.name, among: known).map { ": did you mean “\($0)”?" }
            problems.report(
                "\(sentence(noun)) has no “\(member.name)”\(hint ?? ": remove it.")", at: member.position)
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
