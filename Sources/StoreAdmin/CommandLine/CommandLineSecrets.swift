import ContextCore

/// The passwords in a word of the command line, which is no place for any.
struct CommandLineSecrets {
    private let word: String

    init(_ word: String) { self.word = word }

    /// Notes them, so that nothing that is said repeats them.
    func note(in secrets: SecretLedger) {
        for text in texts where Self.isAddress(text) {
            if let url = try? StoreURL(text) { secrets.note(secretsOf: url) }
            // As it is written, too: so is one repeated that can't be understood, or is encoded where it need not be.
            for secret in [Self.password(in: text), Self.setting(in: text)] {
                if let secret { secrets.note(secret) }
            }
        }
    }

    /// The word, and what it may have in it for an option's value: behind an equals sign, or behind any letter of several.
    private var texts: [String] {
        guard word.hasPrefix("-") else { return [word] }
        let value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
        if word.hasPrefix("--") { return [value].compactMap(\.self) }
        return word.indices.dropFirst().map { String(word[$0...]) }
    }

    /// Whether a text begins as an address does: with a scheme, or with a keyword.
    private static func isAddress(_ text: String) -> Bool {
        let rest = text.drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "+" }
        guard rest.startIndex > text.startIndex else { return false }
        return [":", "="].contains(rest.drop { $0 == " " }.first)
    }

    /// What stands between the user's colon and the last `@`: `postgres://app:password@host/games`.
    private static func password(in text: String) -> String? {
        guard let slashes = text.firstRange(of: "://") else { return nil }
        let rest = text[slashes.upperBound...]
        guard let colon = rest.firstIndex(of: ":"), let at = rest.lastIndex(of: "@"), colon < at else {
            return nil
        }
        return String(rest[rest.index(after: colon)..<at])
    }

    /// What stands behind `password=` and the like, in a URL's settings or among keywords.
    private static func setting(in text: String) -> String? {
        guard let key = text.firstRange(of: "password=") ?? text.firstRange(of: "PASSWORD=") else {
            return nil
        }
        return String(text[key.upperBound...].prefix { $0 != "&" })
    }
}
