#if Postgres
import Testing

@testable import PostgresBackend

/// The statements of a pipeline, and the prepared statements that its end deallocates.
struct StatementPipelineTests {
    private var pipeline = StatementPipeline()
    private var names = PreparedStatementNames()

    private mutating func append(_ statements: String...) {
        for sql in statements { pipeline.append(PipelinedStatement(sql: sql)) }
    }

    @Test mutating func `A cancellation spares the statements before the protection`() {
        append("a", "b")
        pipeline.protectStatements()
        append("c")
        let (statements, protectedCount) = pipeline.removeStatements()
        #expect(statements.map(\.sql) == ["a", "b", "c"])
        #expect(protectedCount == 2)
        #expect(pipeline.isEmpty)
        append("d")
        #expect(pipeline.removeStatements().protectedCount == 0)
    }

    @Test mutating func `The send buffer is emptied after eight megabytes, and at the end of a pipeline`() {
        let limit = StatementPipeline.maximumBytes
        #expect(pipeline.addBytes(limit) == false)
        #expect(pipeline.addBytes(1) == true)
        pipeline.resetBytes()
        #expect(pipeline.addBytes(limit) == false)
        _ = pipeline.removeStatements()
        #expect(pipeline.addBytes(limit) == false)
    }

    @Test mutating func `A transaction begins with the last statement of its start`() {
        append("BEGIN", "SELECT")
        pipeline.beginTransaction(knownEnd: 7)
        append("first query")
        #expect(pipeline.statements.map(\.readsHistoryEnd) == [false, true, false])
        #expect(pipeline.transactionStart?.knownEnd == 7)
        #expect(pipeline.transactionStart?.isRead == false)
        pipeline.endTransactionStart()
        #expect(pipeline.transactionStart?.knownEnd == nil)
    }

    @Test mutating func `Evicted statements are deallocated once, unless all are discarded`() {
        names.scheduleDeallocation(of: ["s1"])
        names.scheduleDeallocation(of: ["s2", "s3"])
        #expect(names.removeScheduledDeallocations() == ["s1", "s2", "s3"])
        #expect(names.removeScheduledDeallocations() == [])
        names.scheduleDeallocation(of: ["s4"])
        names.removeAll()
        #expect(names.removeScheduledDeallocations() == [])
    }
}
#endif
