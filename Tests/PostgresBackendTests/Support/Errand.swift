#if Postgres
import Foundation

@testable import PostgresBackend

/// A piece of work for a connection on a separate thread.
// @unchecked: the caller doesn't use the connection until the work is done.
final class Errand: @unchecked Sendable {
    private let connection: PostgresConnection
    private let work: @Sendable (PostgresConnection) -> Void

    init(_ connection: PostgresConnection, _ work: @escaping @Sendable (PostgresConnection) -> Void) {
        self.connection = connection
        self.work = work
    }

    func start() {
        Thread.detachNewThread { [self] in work(connection) }
    }
}

/// Runs blocking code on threads outside of the cooperative pool.
enum OwnThread {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
#endif
