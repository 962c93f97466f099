#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Timestamps outside of the server's calendar are rejected before any SQL runs.
@Suite(.enabled(if: TestServer.isExpected))
struct CalendarTests {
    private let model: ObjectModel
    private let coordinator: PostgresCoordinator

    init() throws {
        let day = EntityDescription("Day", attributes: [AttributeDescription("moment", .date)])
        model = try ObjectModel(entities: [day])
        coordinator = try PostgresCoordinator(model: model, TestServer.freshConfiguration())
    }

    private func insertion(_ moment: Int64) throws -> ChangeSet {
        var builder = RowBatchBuilder(model: model)
        builder.beginRow(key: 1, version: 1, entityIndex: 0)
        builder.set(0, to: .timestamp(microseconds: moment))
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: 0, rows: try builder.finish())]
        return changes
    }

    @Test(arguments: [PostgresTimestamp.earliest - 1, .min])
    func `An earlier timestamp is reported, and nothing is sent`(_ moment: Int64) throws {
        let session = try PostgresWriteSession(coordinator.store, SessionOptions(identifier: "write"))
        defer { session.end() }
        let error = expectError(.unsupportedRequest) { _ = try session.apply(insertion(moment)) }
        #expect(error?.message.contains("Day.moment") == true)
        #expect(error?.detail?.contains("SQLSTATE") != true)
        #expect(try session.apply(insertion(0)).conflicts.isEmpty)
        _ = try session.commit()
    }

    @Test(arguments: [PostgresTimestamp.earliest, .max])
    func `The first and the last timestamp are stored`(_ moment: Int64) throws {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "write"))
        defer { session.end() }
        #expect(try session.apply(insertion(moment)).conflicts.isEmpty)
        #expect(try session.rows([1], entityIndex: 0).value(0, at: 0) == .timestamp(microseconds: moment))
    }
}
#endif
