import ContextCore
import Foundation

/// Waits until a database accepts connections.
struct DatabaseWaitCommand: Command {
    private static let pollInterval = 0.25

    let declaration = CommandDeclaration(
        words: ["db", "wait"], abstract: "Waits until the database accepts connections.",
        discussion: """
            The command waits while the server is unreachable or starting, or the file does not exist. Other errors end it at
            once. It exits with 75 after the timeout.
            """,
        options: [
            .option("timeout", nil, "TIME", "The timeout, such as 30s or 5m. The default is 60s.")
        ],
        examples: [
            .init(words: "db wait -s prod --timeout 2m", help: "Before an application starts.")
        ], exitCodes: [.badData, .temporary, .permission, .configuration])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let deadline = ContinuousClock.now + (try call.arguments.duration("timeout") ?? .seconds(60))
        var attempts = 0
        while true {
            attempts += 1
            do {
                let facts = try store.inspect { try $0.databaseInfo() }
                let count = attempts
                return Report(
                    "db.wait", ["store": store.json, "server": facts.json, "attempts": .int(count)]
                ) { _ in "\(store.title) responds: \(facts.product) \(facts.version)\n" }
            } catch let error as StoreError where Self.isTransient(error) {
                guard ContinuousClock.now < deadline else { throw Self.timeoutError(store, error) }
                Thread.sleep(forTimeInterval: Self.pollInterval)
            }
        }
    }

    /// Whether the error may disappear without an action of the user.
    private static func isTransient(_ error: StoreError) -> Bool {
        AdminError(error).isRetryable || error.code == .storeNotFound
    }

    private static func timeoutError(_ store: AdministeredStore, _ error: StoreError) -> AdminError {
        AdminError(
            code: "SC2103", exit: .temporary,
            message: "\(store.title) does not respond.\n\(error.message)",
            hint: "Increase --timeout, or check the server.", detail: error.detail, isRetryable: true)
    }
}
