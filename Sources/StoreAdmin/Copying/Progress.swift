import ContextCore
import Synchronization

/// Tells how far something is, where it takes longer than a second.
///
/// State: when something was told last, guarded by a mutex.
final class Progress: Sendable {
    private let output: Output
    private let told: Mutex<ContinuousClock.Instant>

    init(_ output: Output) {
        self.output = output
        told = Mutex(ContinuousClock.now)
    }

    func tell(_ what: String, _ done: Int, of all: Int) {
        // A terminal is told every second, a log less often.
        let pause = output.messageStyle.width == nil ? Duration.seconds(10) : .seconds(1)
        let isDue = told.withLock { told in
            guard ContinuousClock.now - told >= pause else { return false }
            told = .now
            return true
        }
        if isDue { output.note("\(what): \(Quantity.count(done)) of \(Quantity.count(all))") }
    }
}
