import ContextCore
import Synchronization

/// Says which steps a migration takes, and how far those are that go through many rows.
///
/// State: the step that was told of last, guarded by a mutex.
final class MigrationTelling: Sendable {
    private let output: Output
    private let rows: ProgressLine
    private let told = Mutex("")

    init(_ output: Output) {
        self.output = output
        rows = ProgressLine(output)
    }

    /// Hears of a step, or of one more batch of it.
    func tell(_ progress: MigrationProgress) {
        let step = "\(progress.transition), step \(progress.step) of \(progress.steps)"
        let isNew = told.withLock { told in
            defer { told = step }
            return told != step
        }
        if isNew {
            rows.start(step + ", rows")
            output.note("\(step): \(progress.sentence)")
        }
        if progress.rows > 0 { rows.tell(step + ", rows", progress.rows) }
    }

    /// Hears that the migration has ended, or was stopped.
    func finish() { rows.finish() }
}
