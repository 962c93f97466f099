#if Postgres
import Foundation

@testable import PostgresBackend

/// Something that a connection does on a thread of its own.
// @unchecked: whoever sends a connection on an errand leaves it alone until the errand is done.
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

/// Runs what blocks on a thread that is none of Swift's.
enum OwnThread {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
#endif
