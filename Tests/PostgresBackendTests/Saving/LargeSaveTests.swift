#if Postgres
import ContextCore
import Foundation
import SQLStore
import Testing

@testable import PostgresBackend

/// Saves that exceed the size of one message to the server.
///
/// `STORE_LARGE_ROWS` is the number of rows of a megabyte that are saved at once; with 1,024 or more they exceed the server's limit.
@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct LargeSaveTests {
    private static let size = 1 << 20
    private let configuration: PostgresConfiguration
    private let model: ObjectModel
    private let coordinator: PostgresCoordinator
    private let count: Int64

    init() throws {
        count = Int64(Effort.count("STORE_LARGE_ROWS", otherwise: 40))
        configuration = try TestServer.freshConfiguration()
        model = try ObjectModel {
            Entity("File") {
                Attribute("name", .string).unique()
                Attribute("bytes", .data).optional()
            }
        }
        coordinator = try PostgresCoordinator(model: model, configuration)
    }

    /// Returns rows of a megabyte each, whose data starts with a byte.
    private func rows(_ keys: Range<Int64>, version: Int64 = 2, _ first: UInt8) throws -> RowBatch {
        var builder = RowBatchBuilder(model: model)
        var bytes = Data(count: Self.size)
        bytes[0] = first
        let columns = try (name: #require(column("name")), bytes: #require(column("bytes")))
        for key in keys {
            builder.beginRow(key: key, version: version, entityIndex: 0)
            builder.set(columns.name, to: .string("file \(key)"))
            builder.set(columns.bytes, to: .data(bytes))
        }
        return try builder.finish()
    }

    private func column(_ name: String) -> Int? { model.layouts[0].columns.firstIndex { $0.name == name } }

    private func write(_ changes: ChangeSet) throws {
        let session = try PostgresWriteSession(coordinator.store, SessionOptions(identifier: "write"))
        defer { session.end() }
        #expect(try session.apply(changes).conflicts.isEmpty)
        _ = try session.commit()
    }

    /// Returns the number of rows with the expected length whose data starts with a byte.
    private func whole(_ first: UInt8) throws -> Int64? {
        try otherProgram(configuration).integer(
            "SELECT count(*) FROM file WHERE length(bytes) = \(Self.size) AND get_byte(bytes, 0) = \(first)")
    }

    private func finish() throws {
        coordinator.close()
        try otherProgram(configuration).execute("DROP SCHEMA \(configuration.quotedSchema) CASCADE")
    }

    @Test func `Rows that exceed a message are inserted, read and changed in one save`() throws {
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: 0, rows: try rows(1..<count + 1, 1))]
        try write(changes)
        #expect(try whole(1) == count)
        let session = try PostgresReadSession(coordinator.store, SessionOptions(identifier: "read"))
        #expect(try session.rows(Array(1...count), entityIndex: 0).count == Int(count))
        session.end()
        let columns = [try #require(column("bytes"))]
        changes = ChangeSet()
        changes.updates = [
            .init(
                entityIndex: 0, columns: columns, rows: try rows(1..<count + 1, version: 3, 2),
                baseVersions: Array(repeating: 2, count: Int(count)))
        ]
        try write(changes)
        #expect(try whole(2) == count)
        try finish()
    }

    @Test func `The errors of a table and of a row that are too wide name the limits`() throws {
        func model(_ count: Int) throws -> ObjectModel {
            let attributes = (0..<count).map { AttributeDescription("a\($0)", .int64) }
            return try ObjectModel(entities: [EntityDescription("Wide", attributes: attributes)])
        }
        let tooWide = try TestServer.freshConfiguration()
        let creating = expectError(.unsupportedRequest) {
            _ = try PostgresCoordinator(model: model(1_599), tooWide)
        }
        #expect(creating?.message.contains("1,600") == true)
        let wide = try model(1_100)
        let place = try TestServer.freshConfiguration()
        let coordinator = try PostgresCoordinator(model: wide, place)
        var builder = RowBatchBuilder(model: wide)
        builder.beginRow(key: 1, version: 1, entityIndex: 0)
        for column in 0..<1_100 { builder.set(column, to: .int(1)) }
        var changes = ChangeSet()
        changes.inserts = [.init(entityIndex: 0, rows: try builder.finish())]
        let session = try PostgresWriteSession(coordinator.store, SessionOptions(identifier: "wide"))
        let saving = expectError(.unsupportedRequest) { _ = try session.apply(changes) }
        #expect(saving?.message.contains("8,160 bytes") == true)
        session.end()
        coordinator.close()
        try otherProgram(place).execute("DROP SCHEMA \(place.quotedSchema) CASCADE")
        try finish()
    }

    @Test func `Rows that exceed a message are sent by COPY`() throws {
        let copy = RowCopy(coordinator.store.mapping.entities[0], coordinator.store.dialect)
        let connection = try coordinator.store.pool.borrow(for: "copy")
        defer { coordinator.store.pool.returnConnection(connection) }
        try connection.inTransaction { () throws(StoreError) in
            do {
                let batch = try rows(1..<count + 1, 3)
                try copy.insert(batch, connection)
            } catch { throw error as? StoreError ?? StoreError(.database, "\(error)") }
        }
        #expect(try whole(3) == count)
        try finish()
    }

    @Test func `A batch is split by bytes and by rows, and a large row is sent alone`() throws {
        let store = coordinator.store
        let columns = RowColumns(store.mapping.entities[0], columns: [0, 1])
        let batch = try rows(1..<9, 1)
        #expect(columns.chunks(batch) == [0..<8])
        let name = "file 1".utf8.count
        #expect(
            columns.chunks(batch, maximumBytes: 3 * (Self.size + name)) == [0..<3, 3..<6, 6..<8])
        #expect(columns.chunks(batch, maximumBytes: 10) == (0..<8).map { $0..<$0 + 1 })
        // Only the transmitted bytes count.
        let names = RowColumns(store.mapping.entities[0], columns: [try #require(column("name"))])
        #expect(names.chunks(batch, maximumBytes: 100) == [0..<8])
        #expect(RowColumns.chunks(25_000) == [0..<10_000, 10_000..<20_000, 20_000..<25_000])
        try finish()
    }

    @Test func `Values that exceed any message are rejected before sending, and the transaction continues`()
        throws
    {
        var parameters = PostgresParameters()
        for _ in 0..<70_000 { parameters.append(Int64(1)) }
        let connection = try PostgresConnection(configuration)
        try connection.execute("BEGIN")
        expectError(.unsupportedRequest) { try connection.run("SELECT 1", parameters) }
        expectError(.unsupportedRequest) { try connection.sendInPipeline("SELECT 1", parameters) }
        #expect(try connection.integer("SELECT 7") == 7)
        #expect(connection.isAlive)
        try finish()
    }
}
#endif
