/// The words after a command, sorted into operands and options.
struct ParsedArguments: Sendable, Equatable {
    var operands: [String] = []
    private(set) var values: [String: [String]] = [:]
    private(set) var flags: Set<String> = []

    mutating func note(_ name: String, _ value: String) { values[name, default: []].append(value) }
    mutating func note(flag name: String) { flags.insert(name) }

    /// The value of an option; the last one where it was given more than once.
    subscript(name: String) -> String? { values[name]?.last }

    /// Whether a flag was given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The words of an option that takes several with commas between them.
    func list(_ name: String) -> [String]? {
        values[name].map { values in
            values.flatMap { $0.split(separator: ",").map { $0.trimmingSpaces } }
        }
    }

    /// The whole number of an option; nil where it wasn't given.
    func count(_ name: String) throws -> Int? {
        guard let text = self[name] else { return nil }
        if let number = Int(text), number >= 0 { return number }
        throw AdminError.usage("--\(name) takes a whole number, not “\(text)”.")
    }
}

extension StringProtocol {
    /// The text without spaces at its ends.
    var trimmingSpaces: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
