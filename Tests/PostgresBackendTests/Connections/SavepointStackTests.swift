#if Postgres
import Testing

@testable import PostgresBackend

/// The savepoint statements that are sent together with a transaction's next statement.
struct SavepointStackTests {
    private static let outer = ["RELEASE SAVEPOINT settled", "SAVEPOINT settled"]
    private var stack = SavepointStack()

    @Test func `A transaction begins with a savepoint that is set together with it`() {
        #expect(SavepointStack.setFirst == "SAVEPOINT settled")
        #expect(stack.scheduledStatements.isEmpty)
        #expect(stack.rollbackStatement == "ROLLBACK TO SAVEPOINT settled")
    }

    @Test mutating func `A savepoint replaces the previous one, and is scheduled once`() {
        stack.schedule()
        stack.schedule()
        #expect(stack.removeScheduledStatements() == Self.outer)
        #expect(stack.scheduledStatements.isEmpty)
        stack.schedule()
        #expect(stack.removeScheduledStatements() == Self.outer)
    }

    @Test mutating func `A caller's savepoint replaces a scheduled one, but not one that was sent`() {
        stack.schedule()
        stack.beginCaller()
        #expect(stack.scheduledStatements == ["SAVEPOINT part"])
        #expect(stack.rollbackStatement == "ROLLBACK TO SAVEPOINT part")
        stack.releaseCaller()
        #expect(stack.scheduledStatements == Self.outer)
        _ = stack.removeScheduledStatements()
        stack.beginCaller()
        #expect(stack.scheduledStatements == ["SAVEPOINT part"])
    }

    @Test mutating func `Savepoints within a caller's leave it`() {
        stack.beginCaller()
        _ = stack.removeScheduledStatements()
        stack.schedule()
        #expect(stack.removeScheduledStatements() == ["SAVEPOINT settled_in_part"])
        #expect(stack.rollbackStatement == "ROLLBACK TO SAVEPOINT settled_in_part")
        stack.schedule()
        #expect(
            stack.scheduledStatements == [
                "RELEASE SAVEPOINT settled_in_part", "SAVEPOINT settled_in_part",
            ])
        stack.releaseCaller()
        #expect(stack.scheduledStatements == ["RELEASE SAVEPOINT part"] + Self.outer)
        #expect(stack.rollbackStatement == "ROLLBACK TO SAVEPOINT settled")
    }

    @Test mutating func `A caller's savepoint is rolled back on the server only if it was sent`() {
        #expect(SavepointStack.rollBackCaller == "ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part")
        stack.beginCaller()
        #expect(stack.unscheduleCaller() == true)
        stack.endCaller()
        #expect(stack.removeScheduledStatements() == Self.outer)
        stack.beginCaller()
        _ = stack.removeScheduledStatements()
        #expect(stack.unscheduleCaller() == false)
        stack.endCaller()
        #expect(stack.scheduledStatements == Self.outer)
    }
}
#endif
