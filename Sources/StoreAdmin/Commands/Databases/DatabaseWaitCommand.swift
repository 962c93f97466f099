import ContextCore
import Foundation

/// Waits until a database answers.
struct DatabaseWaitCommand: Command {
    private static let pause = 0.25

    let declaration = CommandDeclaration(
        words: ["db", "wait"], abstract: "Waits until the database answers.",
        discussion: """
            Only what passes by itself is waited for: a server that isn't there yet, or is just starting, and a file that
            nobody has made yet. It exits with 75 when the time is over.
            """,
        options: [.option("timeout", nil, "TIME", "How long, such as 30s or 5m; 60s unless given.")],
        examples: [
            .init(words: "db wait -s prod --timeout 2m", help: "Before an application starts.")
        ], exits: [.badData, .temporary, .permission, .configuration])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let deadline = ContinuousClock.now + (try call.arguments.duration("timeout") ?? .seconds(60))
        var attempts = 0
        while true {
            attempts += 1
            do {
                let facts = try store.inspect { try $0.facts() }
                let count = attempts
                return Report(
                    "db.wait", ["store": store.json, "server": facts.json, "attempts": .int(count)]
                ) { _ in "\(store.title) answers: \(facts.product) \(facts.version)\n" }
            } catch let error as StoreError where Self.passes(error) {
                guard ContinuousClock.now < deadline else { throw Self.late(store, error) }
                Thread.sleep(forTimeInterval: Self.pause)
            }
        }
    }

    /// Whether waiting may help.
    private static func passes(_ error: StoreError) -> Bool {
        AdminError(error).isRetryable || error.code == .storeNotFound
    }

    private static func late(_ store: AdministeredStore, _ error: StoreError) -> AdminError {
        AdminError(
            code: "SC2103", exit: .temporary, message: "\(store.title) doesn't answer.\n\(error.message)",
            hint: "Give it longer with --timeout, or look after the server.", detail: error.detail,
            isRetryable: true)
    }
}
