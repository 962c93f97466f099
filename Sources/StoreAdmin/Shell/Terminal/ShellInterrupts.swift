import Foundation
import Synchronization

/// The presses of Ctrl-C in a shell at a terminal.
struct ShellInterrupts: Sendable {
    /// Returns whether Ctrl-C was pressed since the last call.
    let consume: @Sendable () -> Bool
    /// Ends the program as Ctrl-C does without a shell.
    let endProgram: @Sendable () -> Void

    /// The instance that signals to this process trigger, while ``withHandler(during:)`` runs.
    static let process = ShellInterrupts(
        consume: { InterruptSignal.consume() },
        endProgram: {
            signal(SIGINT, SIG_DFL)
            raise(SIGINT)
        })

    /// Runs a program that uses the terminal, during which Ctrl-C belongs to that program only.
    ///
    /// Otherwise the signal would interrupt this process's writing to the pager, and the rest of the text would be lost. The signal isn't
    /// ignored instead, because the program would inherit that.
    static func forProgram<Value>(_ run: () -> Value) -> Value {
        InterruptSignal.install(restartsCalls: true)
        // This also forgets the presses that were meant for the program.
        defer { InterruptSignal.install() }
        return run()
    }

    /// Runs work during which Ctrl-C doesn't end this process.
    static func withHandler<Value>(during work: () throws -> Value) rethrows -> Value {
        InterruptSignal.install()
        defer { signal(SIGINT, SIG_DFL) }
        return try work()
    }
}

/// The signal SIGINT.
///
/// State: whether it has arrived, one atomic value, which the signal handler sets. The handler calls nothing else.
private enum InterruptSignal {
    private static let received = Atomic<Bool>(false)

    static func consume() -> Bool { received.exchange(false, ordering: .acquiringAndReleasing) }

    /// - Parameter restartsCalls: Whether system calls continue after the signal.
    static func install(restartsCalls: Bool = false) {
        // Initializes the static before the handler uses it.
        _ = consume()
        var action = sigaction()
        #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
        #else
        action.__sigaction_handler.sa_handler = handler
        #endif
        // Without SA_RESTART, a read from the terminal ends.
        action.sa_flags = restartsCalls ? SA_RESTART : 0
        sigaction(SIGINT, &action, nil)
    }

    private static let handler: @convention(c) (Int32) -> Void = { _ in
        received.store(true, ordering: .releasing)
    }
}
