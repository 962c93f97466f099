import ContextCore

/// Finds the passwords in a word of the command line, so that messages don't repeat them.
struct CommandLineSecrets {
    private let word: String

    init(_ word: String) { self.word = word }

    /// Registers the passwords, so that they are removed from all output.
    func record(in secrets: SecretLedger) {
        for text in texts where Self.isAddress(text) {
            if let url = try? StoreURL(text) { secrets.register(secretsOf: url) }
            // Messages may repeat the password as it is written, if the URL is invalid or has needless percent-encoding.
            for secret in [Self.password(in: text), Self.setting(in: text)] {
                if let secret { secrets.register(secret) }
            }
        }
    }

    /// The possible values in the word: an operand, the text after an equals sign, or the text after each short option.
    private var texts: [String] {
        guard word.hasPrefix("-") else { return [word] }
        let value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
        if word.hasPrefix("--") { return [value].compactMap(\.self) }
        return word.indices.dropFirst().map { String(word[$0...]) }
    }

    /// Whether a text starts with a URL scheme or with a libpq keyword.
    private static func isAddress(_ text: String) -> Bool {
        let rest = text.drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "+" }
        guard rest.startIndex > text.startIndex else { return false }
        return [":", "="].contains(rest.drop { $0 == " " }.first)
    }

    /// Returns the text between the colon after the user and the last `@`: `postgres://app:password@host/games`.
    private static func password(in text: String) -> String? {
        guard let slashes = text.firstRange(of: "://") else { return nil }
        let rest = text[slashes.upperBound...]
        guard let colon = rest.firstIndex(of: ":"), let at = rest.lastIndex(of: "@"), colon < at else {
            return nil
        }
        return String(rest[rest.index(after: colon)..<at])
    }

    /// Returns the text after `password=` in a URL's query or in a libpq connection string.
    private static func setting(in text: String) -> String? {
        guard let key = text.firstRange(of: "password=") ?? text.firstRange(of: "PASSWORD=") else {
            return nil
        }
        return String(text[key.upperBound...].prefix { $0 != "&" })
    }
}
