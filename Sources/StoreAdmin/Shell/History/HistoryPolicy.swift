import ContextCore

/// Decides where the shell's history is, and what it contains.
enum HistoryPolicy {
    /// The number of inputs that a history keeps.
    static let limit = 1000
    /// The number of bytes of the longest input that a history keeps.
    static let maximumLength = 10_000
    /// The variable with another path for the file; if it is empty or `/dev/null`, there is no file.
    static let variable = "STORECTL_HISTORY"

    /// Words in the names of things that contain secrets.
    private static let secretWords = [
        "password", "passwd", "passphrase", "secret", "token", "credential", "apikey", "api_key",
        "private_key",
    ]

    /// Returns the path of the file that keeps the history between sessions; nil if there is none.
    ///
    /// It is `storectl/history` in the folder for states of programs (<https://specifications.freedesktop.org/basedir-spec/latest/>).
    static func path(_ environment: ConfigurationEnvironment) -> String? {
        if let path = environment.variables[variable] {
            return ["", "/dev/null"].contains(path) ? nil : environment.resolved(path)
        }
        // By the specification a relative path is invalid and is ignored.
        let states = environment.variables["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = states ?? environment.home.map { $0 + "/.local/state" }
        return folder.map { $0 + "/storectl/history" }
    }

    /// Whether the history keeps an input.
    ///
    /// It keeps no input that may contain a secret, that repeats the previous one, or that begins with a space, with which a user keeps an
    /// input out of the history.
    static func keeps(_ input: String, after previous: String?, _ secrets: SecretLedger) -> Bool {
        guard let first = input.first, !first.isWhitespace, input != previous,
            input.utf8.count <= maximumLength
        else { return false }
        return !mayContainSecret(input) && secrets.redacted(input) == input
    }

    /// Whether an input has a URL with a password, or a value beside a word such as `password`.
    private static func mayContainSecret(_ input: String) -> Bool {
        let text = input.lowercased()
        let hasValue = text.contains { "\"'=".contains($0) }
        if hasValue, secretWords.contains(where: { text.contains($0) }) { return true }
        return text.split(whereSeparator: \.isWhitespace).contains { word in
            guard let scheme = word.firstRange(of: "://") else { return false }
            let authority = word[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
            guard let end = authority.lastIndex(of: "@") else { return false }
            return authority[..<end].contains(":")
        }
    }

    /// Returns the newest inputs, as many as a history keeps.
    static func newest(_ inputs: [String]) -> [String] { Array(inputs.suffix(limit)) }
}
