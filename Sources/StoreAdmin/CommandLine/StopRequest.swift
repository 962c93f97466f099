import Foundation
import Synchronization

/// Reports whether a signal has requested that a command stops.
///
/// During work that can stop between two steps, the first SIGINT or SIGTERM requests a stop. A second signal ends the program immediately,
/// and so does the first one at all other times.
struct StopRequest: Sendable {
    /// Whether ``withSignalHandlers(during:)`` installs signal handlers.
    private let installsHandlers: Bool
    /// Returns the signal that requested a stop; nil if there was none.
    private let requestedSignal: @Sendable () -> Int32?

    /// The instance that never requests a stop.
    static let none = StopRequest(installsHandlers: false) { nil }
    /// The instance that signals to this process trigger.
    static let process = StopRequest(installsHandlers: true) { ReceivedSignal.number }

    /// Returns an instance that calls a closure for each check.
    static func polling(_ requestedSignal: @escaping @Sendable () -> Int32?) -> StopRequest {
        StopRequest(installsHandlers: false, requestedSignal: requestedSignal)
    }

    /// The same source without signal handlers, for work inside a run that has installed them.
    var withoutSignals: StopRequest {
        StopRequest(installsHandlers: false, requestedSignal: requestedSignal)
    }

    /// Whether the work should stop.
    var isRequested: Bool { requestedSignal() != nil }

    /// Runs work that checks between its steps whether to stop, with the signal handlers installed.
    func withSignalHandlers<Value>(during work: () throws -> Value) rethrows -> Value {
        guard installsHandlers else { return try work() }
        ReceivedSignal.installHandlers()
        defer { ReceivedSignal.removeHandlers() }
        return try work()
    }

    /// Throws if the work should stop.
    ///
    /// - Parameters:
    ///   - what: The work, as the subject of a sentence.
    ///   - hint: How the user can continue the work.
    func throwIfRequested(_ what: String, hint: String) throws(AdminError) {
        if let error = error(what, hint: hint) { throw error }
    }

    /// Throws if the work should stop; for work whose partial results the caller then removes.
    func throwIfRequested(of what: String) throws(AdminError) {
        guard let number = requestedSignal() else { return }
        throw AdminError(
            code: "SC2107", exit: number == SIGTERM ? .terminated : .interrupted,
            message: "\(what) was stopped by a signal, and its partial results were removed.",
            hint: "Run the command again.", isRetryable: true)
    }

    /// Returns the error to throw if the work should stop; nil if it should continue.
    func error(_ what: String, hint: String) -> AdminError? {
        requestedSignal().map { number in
            AdminError(
                code: "SC2107", exit: number == SIGTERM ? .terminated : .interrupted,
                message: "\(what) was stopped by a signal. The steps that it finished are complete.",
                hint: hint, isRetryable: true)
        }
    }
}

/// The signal that arrived while the handlers were installed.
///
/// State: one atomic number, which the signal handler sets. The handler calls only async-signal-safe functions.
private enum ReceivedSignal {
    private static let received = Atomic<Int32>(0)

    static var number: Int32? {
        let number = received.load(ordering: .acquiring)
        return number == 0 ? nil : number
    }

    static func installHandlers() {
        // Initializes the static before a handler uses it.
        _ = number
        var handled = sigset_t()
        sigemptyset(&handled)
        for number in [SIGINT, SIGTERM] {
            sigaddset(&handled, number)
            signal(number, handler)
        }
        // The parent process may have blocked the signals.
        pthread_sigmask(SIG_UNBLOCK, &handled, nil)
    }

    static func removeHandlers() {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    private static let handler: @convention(c) (Int32) -> Void = { number in
        guard received.exchange(number, ordering: .acquiringAndReleasing) == 0 else {
            signal(number, SIG_DFL)
            raise(number)
            return
        }
        let words: StaticString = "\nstopping after the current step; interrupt again to stop immediately\n"
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
    }
}
