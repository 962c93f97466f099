import ContextCore

/// Prints each step of a migration, and the progress of steps that process many rows.
///
/// State: the step that was printed last, guarded by a mutex.
final class MigrationProgressPrinter: Sendable {
    private let output: Output
    private let rows: ProgressLine
    private let lastStep = Guarded("")

    init(_ output: Output) {
        self.output = output
        rows = ProgressLine(output)
    }

    /// Prints the progress after a step, or after a batch of it.
    func report(_ progress: MigrationProgress) {
        let step = "\(progress.transition), step \(progress.step) of \(progress.steps)"
        let isNew = lastStep.withLock { lastStep in
            defer { lastStep = step }
            return lastStep != step
        }
        if isNew {
            rows.start(step + ", rows")
            output.info("\(step): \(progress.sentence)")
        }
        if progress.rows > 0 { rows.report(step + ", rows", progress.rows) }
    }

    /// Ends the progress line after the migration has ended or was stopped.
    func finish() { rows.finish() }
}
