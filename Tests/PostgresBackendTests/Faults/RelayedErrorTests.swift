#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// Errors of other nodes that a server such as a Citus coordinator passes on as internal errors.
@Suite(.enabled(if: TestServer.isExpected))
struct RelayedErrorTests {
    private let connection: PostgresConnection

    init() throws {
        connection = try PostgresConnection(TestServer.freshConfiguration())
    }

    private func raise(_ level: String, _ message: String, state: String) -> String {
        "RAISE \(level) '\(message)' USING ERRCODE = '\(state)';"
    }

    private func run(_ statements: String...) throws {
        try connection.execute("DO $$BEGIN \(statements.joined(separator: " ")) END$$")
    }

    @Test(
        arguments: [
            (#"duplicate key value violates unique constraint "seat_code_unique_104573""#, .duplicate),
            (
                #"insert or update on table "seat_104573" violates foreign key constraint "seat_hall_fkey_104573""#,
                .missingReference
            ),
            ("could not serialize access due to concurrent update", .contention),
            ("deadlock detected", .contention),
            ("canceling statement due to lock timeout", .busy),
            ("cache lookup failed", .database),
        ] as [(String, StoreError.Code)])
    func `An error of a node is recognized by its message`(message: String, code: StoreError.Code) throws {
        expectError(code) { try run(raise("EXCEPTION", message, state: "XX000")) }
    }

    @Test func `The message is ignored if the error has its own SQLSTATE`() throws {
        expectError(.corrupt) { try run(raise("EXCEPTION", "deadlock detected", state: "XX001")) }
    }

    @Test(
        arguments: [("23503", .missingReference), ("23505", .duplicate), ("40001", .contention)]
            as [(String, StoreError.Code)])
    func `A commit that a node rejects has the SQLSTATE of the warning before it`(
        state: String, code: StoreError.Code
    ) throws {
        expectError(code) {
            try run(
                raise("WARNING", "not in English", state: state),
                raise("WARNING", "failed to commit transaction on 10.0.0.2:5432", state: "01000"),
                raise("EXCEPTION", "could not commit transaction for shard 104573", state: "XX000"))
        }
        expectError(.database) { try run(raise("EXCEPTION", "could not commit", state: "XX000")) }
    }

    @Test func `A warning of a successful statement doesn't affect a later error`() throws {
        try run(raise("WARNING", "not in English", state: "23505"))
        expectError(.database) { try run(raise("EXCEPTION", "could not commit", state: "XX000")) }
    }
}
#endif
