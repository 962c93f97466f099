import CBaseline
import Foundation
import Synchronization

/// Adds up the elapsed time, the CPU time, the statements and the round trips between `start` and `stop`.
final class Stopwatch: Sendable {
    private struct State {
        var began: Reading?
        var total = Reading()
    }

    private let state = Mutex(State())
    /// Whether to call the functions at which a profiler starts and stops counting.
    private let isProfiled: Bool

    init(isProfiled: Bool = false) { self.isProfiled = isProfiled }

    /// Starts or restarts the watch; restarting is for a side that prepares data in the block that it measures.
    func start() {
        state.withLock { $0.began = .now() }
        if isProfiled { baseline_measuring_begins() }
    }

    func stop() {
        if isProfiled, state.withLock({ $0.began != nil }) { baseline_measuring_ends() }
        let end = Reading.now()
        state.withLock { state in
            guard let began = state.began else { return }
            state.total += end - began
            state.began = nil
        }
    }

    /// The sums so far.
    var total: Reading { state.withLock { $0.total } }

    /// The values of the clocks and counters.
    struct Reading {
        /// The elapsed time in seconds.
        var wall = 0.0
        /// The user and system time of the process in seconds.
        var processor = 0.0
        /// The number of statements that were run while counting was on.
        var statements = 0
        /// The number of round trips while counting was on.
        var roundTrips = 0

        static func now() -> Reading {
            var usage = rusage()
            // The value of RUSAGE_SELF, whose type differs between platforms.
            getrusage(0, &usage)
            return Reading(
                wall: Double(DispatchTime.now().uptimeNanoseconds) / 1e9,
                processor: seconds(usage.ru_utime) + seconds(usage.ru_stime),
                statements: Int(baseline_statements()), roundTrips: Int(baseline_round_trips()))
        }

        static func - (left: Reading, right: Reading) -> Reading {
            Reading(
                wall: left.wall - right.wall, processor: left.processor - right.processor,
                statements: left.statements - right.statements,
                roundTrips: left.roundTrips - right.roundTrips)
        }

        static func += (left: inout Reading, right: Reading) {
            left.wall += right.wall
            left.processor += right.processor
            left.statements += right.statements
            left.roundTrips += right.roundTrips
        }

        private static func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
    }
}
