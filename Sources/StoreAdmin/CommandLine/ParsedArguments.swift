import ContextCore

/// The operands and options of a command line.
struct ParsedArguments: Sendable, Equatable {
    var operands: [String] = []
    private(set) var values: [String: [String]] = [:]
    private(set) var flags: Set<String> = []

    mutating func append(_ name: String, _ value: String) { values[name, default: []].append(value) }
    mutating func insert(flag name: String) { flags.insert(name) }

    /// Returns the arguments without the given options and flags.
    func removing(_ names: Set<String>) -> ParsedArguments {
        var rest = self
        rest.values = values.filter { !names.contains($0.key) }
        rest.flags = flags.subtracting(names)
        return rest
    }

    /// The value of an option, or its last value if it is given several times.
    subscript(name: String) -> String? { values[name]?.last }

    /// Whether a flag is given.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// Whether an option or a flag is given.
    func isGiven(_ name: String) -> Bool { values[name] != nil || has(name) }

    /// Returns the comma-separated values of an option; nil if it isn't given.
    ///
    /// - Throws: ``AdminError`` if a value is empty, which a shell variable that isn't set may cause.
    func list(_ name: String) throws -> [String]? {
        try values[name].map { values in
            let words = values.flatMap {
                $0.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpaces }
            }
            if words.contains("") {
                throw AdminError.usage(
                    "--\(name) takes names separated by commas, and one of them is empty.",
                    hint: "Check the shell variables in the value.")
            }
            return words
        }
    }

    /// Returns the value of an option as a whole number of at least 1; nil if the option isn't given.
    func positiveCount(_ name: String) throws -> Int? {
        guard let number = try count(name) else { return nil }
        if number > 0 { return number }
        throw AdminError.usage("--\(name) must be at least 1.", hint: "Write a number such as 100.")
    }

    /// Returns the value of an option as a duration, such as `30s`; nil if the option isn't given.
    func duration(_ name: String) throws -> Duration? {
        guard let text = self[name] else { return nil }
        if let duration = Self.parseDuration(text) { return duration }
        throw AdminError.usage(
            "--\(name) takes a duration, not “\(text)”.", hint: "Write it like 30s, 250ms or 5m.")
    }

    /// Parses a duration such as `30s`, `250ms` or `5m`; returns nil if the text is none.
    static func parseDuration(_ text: String) -> Duration? {
        // A limit that fits into 64 bits as nanoseconds.
        Duration(text: text, atMost: .seconds(3_600_000_000))
    }

    /// Returns the value of an option as a whole number; nil if the option isn't given.
    func count(_ name: String) throws -> Int? {
        guard let text = self[name] else { return nil }
        if let number = Int(text), number >= 0 { return number }
        throw AdminError.usage(
            "--\(name) takes a whole number, not “\(text)”.", hint: "Write digits only, such as 100.")
    }
}

extension StringProtocol {
    /// The text without whitespace at its ends.
    var trimmingSpaces: String {
        let whole = String(self)
        // Most texts begin and end with a visible character of ASCII, and an import trims millions of them.
        let visible = UInt8(ascii: "!")...UInt8(ascii: "~")
        if let first = whole.utf8.first, let last = whole.utf8.last, visible.contains(first),
            visible.contains(last)
        {
            return whole
        }
        var text = whole[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
