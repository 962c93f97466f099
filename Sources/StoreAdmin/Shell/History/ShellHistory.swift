import ContextCore

/// The earlier inputs of a user at a terminal.
///
/// State: the inputs of this and earlier sessions, and the file, which is nil after an error; used by one thread.
final class ShellHistory {
    private(set) var inputs: [String]
    private var file: HistoryFile?
    private let secrets: SecretLedger
    /// Called with each input that the history keeps.
    var whenAdded: (String) -> Void = { _ in }

    /// Reads the inputs of earlier sessions.
    init(_ environment: ConfigurationEnvironment) {
        file = HistoryPolicy.path(environment).map { HistoryFile(path: $0) }
        inputs = file?.load() ?? []
        secrets = environment.secrets
    }

    /// Adds an input if the history keeps it.
    ///
    /// - Throws: ``AdminError`` if the file can't be written; then the history is kept for this session only.
    func add(_ input: String) throws {
        guard HistoryPolicy.keeps(input, after: inputs.last, secrets) else { return }
        inputs = HistoryPolicy.newest(inputs + [input])
        whenAdded(input)
        do {
            try file?.append(input)
        } catch {
            file = nil
            throw error
        }
    }
}
