import Foundation
import Synchronization

/// Adds up the time between `start` and `stop`, on the wall and on the processors.
final class Stopwatch: Sendable {
    private struct State {
        var began: Reading?
        var total = Reading(wall: 0, processor: 0)
    }

    private let state = Mutex(State())

    /// Starts the clock, for a side that prepares within the block that it then measures.
    func start() { state.withLock { $0.began = .now() } }

    func stop() {
        let end = Reading.now()
        state.withLock { state in
            guard let began = state.began else { return }
            state.total.wall += end.wall - began.wall
            state.total.processor += end.processor - began.processor
            state.began = nil
        }
    }

    /// The time so far, in seconds.
    var total: Reading { state.withLock { $0.total } }

    /// Seconds by the wall's clock, and of user and system time of the whole process.
    struct Reading {
        var wall: Double
        var processor: Double

        static func now() -> Reading {
            var usage = rusage()
            // Written out, for the constant has another type on each platform: RUSAGE_SELF.
            getrusage(0, &usage)
            return Reading(
                wall: Double(DispatchTime.now().uptimeNanoseconds) / 1e9,
                processor: seconds(usage.ru_utime) + seconds(usage.ru_stime))
        }

        private static func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
    }
}
