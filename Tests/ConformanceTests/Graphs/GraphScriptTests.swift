import ChildProcesses
import Testing

@testable import ContextCore
@testable import StoreConformance

/// Random scripts over several contexts on every kind of store; see ``GraphSettings`` for their environment variables.
struct GraphScriptTests {
    @Test(arguments: Subject.all)
    func `Random steps leave all contexts and the store consistent`(
        _ subject: Subject
    ) async throws {
        let settings = GraphSettings()
        let fixture = subject.fixture
        let count = max(1, settings.count / subject.slowness)
        let failures = try await onThread {
            try GraphScriptRunner(fixture, settings).failures(settings.first..<settings.first + count)
        }
        for failure in failures { Issue.record("\(failure)") }
    }
}
