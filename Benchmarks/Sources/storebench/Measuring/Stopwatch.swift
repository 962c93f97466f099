import CBaseline
import Foundation
import Synchronization

/// Adds up what happens between `start` and `stop`: time on the wall and on the processors, statements and round trips.
final class Stopwatch: Sendable {
    private struct State {
        var began: Reading?
        var total = Reading()
    }

    private let state = Mutex(State())
    /// Whether a profiler listens for where measuring begins and ends.
    private let isProfiled: Bool

    init(isProfiled: Bool = false) { self.isProfiled = isProfiled }

    /// Starts the clock, or starts it anew, for a side that prepares within the block that it then measures.
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

    /// What there was so far.
    var total: Reading { state.withLock { $0.total } }

    /// What clocks and counters show.
    struct Reading {
        /// Seconds by the wall's clock.
        var wall = 0.0
        /// Seconds of user and system time of the whole process.
        var processor = 0.0
        /// Statements that were run, while they are counted.
        var statements = 0
        /// How often a server was asked for an answer, while that is counted.
        var roundTrips = 0

        static func now() -> Reading {
            var usage = rusage()
            // Written out, for the constant has another type on each platform: RUSAGE_SELF.
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
