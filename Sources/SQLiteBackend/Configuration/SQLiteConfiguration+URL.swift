#if SQLite
import ContextCore

extension SQLiteConfiguration {
    /// The keys of the URL's options.
    static let optionKeys: Set<String> = [
        "mode", "journal", "synchronous", "busy_timeout", "history", "statement_timeout",
    ]

    /// Parses a URL.
    ///
    /// - Throws: ``StoreError/Code/configuration`` for an invalid value of an option, with the most similar valid value.
    init(_ url: StoreURL) throws(StoreError) {
        guard url.hosts.isEmpty, url.user == nil else {
            let name = url.hosts.map(\.name).joined(separator: ",") + url.path
            throw StoreError(
                .configuration, "A SQLite URL names a file, not a server.",
                remedy:
                    "Write sqlite:\(name) for a file in the working folder, or sqlite:///\(name) for one in the root folder."
            )
        }
        guard !url.path.isEmpty else {
            throw StoreError(
                .configuration, "The SQLite URL doesn't name a file.",
                remedy:
                    "Write it like sqlite:games.sqlite, sqlite:///var/lib/games.sqlite or sqlite::memory:.")
        }
        if url.path.hasPrefix(":"), url.path != ":memory:" {
            throw StoreError(
                .configuration, "“\(url.path)” is not the name of a file.",
                remedy:
                    "Did you mean sqlite::memory:? A file whose name begins with a colon is written sqlite:./\(url.path)."
            )
        }
        self.init(path: url.path == ":memory:" ? nil : url.path)
        mode = try Self.choice("mode", of: url, otherwise: mode)
        journal = try Self.choice("journal", of: url, otherwise: journal)
        synchronous = try Self.choice("synchronous", of: url, otherwise: synchronous)
        keepsHistory = try Self.choice("history", of: url, otherwise: Switch.on) == .on
        busyTimeout = try Self.duration("busy_timeout", of: url) ?? busyTimeout
        statementTimeout = try Self.duration("statement_timeout", of: url)
        if path == nil, mode != .create {
            throw StoreError(
                .configuration,
                "An in-memory store is always created anew, so its mode can't be \(mode.rawValue).",
                remedy: "Remove mode from the URL.")
        }
    }

    private enum Switch: String, CaseIterable {
        case on, off
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, of url: StoreURL, otherwise usual: Choice
    ) throws(StoreError) -> Choice where Choice.RawValue == String {
        guard let text = url.options[key] else { return usual }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let near = Spelling.nearest(to: text, among: names).map { "Did you mean \($0)? " } ?? ""
        throw StoreError(
            .configuration, "The setting \(key) of a SQLite URL can't be \(text).",
            remedy: near + "Use one of \(names.joined(separator: ", ")).")
    }

    private static func duration(_ key: String, of url: StoreURL) throws(StoreError) -> Duration? {
        guard let text = url.options[key] else { return nil }
        let textWithUnit = text.last?.isNumber == true ? text + "ms" : text
        if let duration = Duration(text: textWithUnit, atMost: .seconds(86_400)) { return duration }
        throw StoreError(
            .configuration, "The setting \(key) of a SQLite URL can't be \(text).",
            remedy:
                "Write it like 30s, 250ms or 5m, at most one day; a number without a unit is in milliseconds."
        )
    }
}
#endif
