#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Programs whose store is replaced by another one, as `storectl backup restore` does.
@Suite(.enabled(if: TestServer.isExpected, "Needs a server: run scripts/test."))
struct ReplacedStoreTests {
    private let configuration: PostgresConfiguration
    private let things: ServerThings

    init() throws {
        configuration = try TestServer.freshConfiguration()
        things = try ServerThings(configuration)
        try things.save(1)
    }

    /// Replaces the open store by one with the thing 7.
    private func replace() throws {
        let inspector = try PostgresInspector(configuration)
        defer { inspector.close() }
        var place = configuration
        place.schema = try #require(try inspector.prepareStagingArea()["schema"])
        let other = try ServerThings(place)
        try other.save(7)
        other.coordinator.close()
        try inspector.replaceFromStagingArea()
    }

    private func removeSchema() throws {
        try otherProgram(configuration).execute("DROP SCHEMA \(configuration.quotedSchema) CASCADE")
    }

    /// Returns the keys of the things in the schema, of either store.
    private func keys() throws -> [Int64] {
        let result = try otherProgram(configuration).run("SELECT \"_id\" FROM \"thing\" ORDER BY \"_id\"")
        return (0..<result.count).map { result.integer($0, 0) }
    }

    @Test func `A save into a replaced store changes nothing and reports it`() throws {
        try replace()
        for _ in 0..<2 { expectError(.storeMoved) { try things.save(8) } }
        #expect(try keys() == [7])
        things.coordinator.close()
        try removeSchema()
    }

    @Test func `A save in one round trip into a replaced store changes nothing and reports it`() throws {
        try replace()
        var options = SessionOptions(identifier: "save")
        options.defersBegin = true
        let session = try PostgresWriteSession(things.coordinator.store, options)
        defer { session.end() }
        // If the save can't be done in one round trip, it is done step by step, which reports the reason.
        #expect(try session.saveInOneRoundTrip([things.insertion(8)], isCancellable: true) == nil)
        expectError(.storeMoved) { _ = try session.apply(things.insertion(8)) }
        #expect(try keys() == [7])
        things.coordinator.close()
        try removeSchema()
    }

    @Test func `Reads of a replaced store and of its metadata report it`() throws {
        try replace()
        expectError(.storeMoved) { _ = try things.keys() }
        expectError(.storeMoved) { _ = try things.coordinator.metadata() }
        let anew = try ServerThings(configuration)
        #expect(try anew.keys() == [7])
        anew.coordinator.close()
        things.coordinator.close()
        try removeSchema()
    }

    @Test func `A store whose schema was dropped is reported as moved, not as corrupt`() throws {
        try removeSchema()
        expectError(.storeMoved) { try things.save(2) }
        expectError(.storeMoved) { _ = try things.keys() }
        things.coordinator.close()
    }

    @Test func `A listening program is notified that its store was replaced`() throws {
        let rings = Guarded(0)
        things.coordinator.notifyCommits { rings.withLock { $0 += 1 } }
        // There is one notification when it starts to listen.
        #expect(eventually { rings.withLock { $0 } == 1 })
        try replace()
        #expect(eventually { rings.withLock { $0 } == 2 })
        things.coordinator.close()
        try removeSchema()
    }
}
#endif
