import Foundation
import Synchronization

/// Tells whether somebody wants what is going on to stop.
///
/// While something goes on that can stop between two of its parts, the first SIGINT or SIGTERM only asks for that; the second one ends
/// the program at once, as the first one does at all other times.
struct Interruption: Sendable {
    /// The signal that asked; nil as long as none did.
    private let asked: @Sendable () -> Int32?
    /// Whether signals are heeded only as long as something goes on that asks for them.
    private let heedsSignals: Bool

    private init(heedsSignals: Bool, asked: @escaping @Sendable () -> Int32?) {
        self.asked = asked
        self.heedsSignals = heedsSignals
    }

    /// Nobody ever asks.
    static let none = Interruption(heedsSignals: false) { nil }
    /// This process's signals.
    static let process = Interruption(heedsSignals: true) { SignalNote.number }

    /// Somebody who is asked each time.
    static func asking(_ asked: @escaping @Sendable () -> Int32?) -> Interruption {
        Interruption(heedsSignals: false, asked: asked)
    }

    /// Asks, but installs no signal handlers; for work inside a run that has installed them.
    var withoutSignals: Interruption { Interruption(heedsSignals: false, asked: asked) }

    /// Whether what goes on should stop.
    var isWanted: Bool { asked() != nil }

    /// Does something that asks now and then whether it should stop.
    func heeded<Value>(during work: () throws -> Value) rethrows -> Value {
        guard heedsSignals else { return try work() }
        SignalNote.heed()
        defer { SignalNote.heedNoMore() }
        return try work()
    }

    /// Throws where it should stop.
    ///
    /// - Parameters:
    ///   - what: What is stopped, as a sentence begins with it.
    ///   - hint: How it goes on.
    func check(_ what: String, hint: String) throws(AdminError) {
        if let error = error(what, hint: hint) { throw error }
    }

    /// Throws where something should stop that leaves nothing behind.
    func checkBeforeEnd(of what: String) throws(AdminError) {
        guard let number = asked() else { return }
        throw AdminError(
            code: "SC2107", exit: number == SIGTERM ? .terminated : .interrupted,
            message: "\(what) was stopped before its end, and nothing is left of it.", hint: "Run it again.",
            isRetryable: true)
    }

    /// What is thrown where it should stop; nil where it shouldn't.
    func error(_ what: String, hint: String) -> AdminError? {
        asked().map { number in
            AdminError(
                code: "SC2107", exit: number == SIGTERM ? .terminated : .interrupted,
                message: "\(what) was stopped between two of its parts, each of which is there as a whole.",
                hint: hint, isRetryable: true)
        }
    }
}

/// The signal that came while signals were heeded.
///
/// State: one number, which the handler of the signals sets. Whatever the handler calls may be called in one.
private enum SignalNote {
    private static let received = Atomic<Int32>(0)

    static var number: Int32? {
        let number = received.load(ordering: .acquiring)
        return number == 0 ? nil : number
    }

    static func heed() {
        // The number has to be there before a handler asks for it.
        _ = number
        var heeded = sigset_t()
        sigemptyset(&heeded)
        for number in [SIGINT, SIGTERM] {
            sigaddset(&heeded, number)
            signal(number, handler)
        }
        // Whoever has started the program may have kept them from it.
        pthread_sigmask(SIG_UNBLOCK, &heeded, nil)
    }

    static func heedNoMore() {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    private static let handler: @convention(c) (Int32) -> Void = { number in
        guard received.exchange(number, ordering: .acquiringAndReleasing) == 0 else {
            signal(number, SIG_DFL)
            raise(number)
            return
        }
        let words: StaticString = "\nstopping after what is under way; once more stops at once\n"
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
    }
}
