import Foundation

/// Switches the terminal to raw mode and restores it, even in the signal handler of a crash.
///
/// A signal handler must not lock or allocate, so everything that it needs is prepared in advance.
enum TerminalMode {
    /// Leaves the alternate screen and shows the cursor.
    private static let leaveSequence: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGQUIT]

    // nonisolated(unsafe): written once, before any handler can run, and read by handlers, which must not acquire locks.
    nonisolated(unsafe) private static var saved = termios()
    // nonisolated(unsafe): the same; the first call of `restore` clears it.
    nonisolated(unsafe) private static var isRaw: sig_atomic_t = 0

    /// Switches the terminal to raw mode on an empty alternate screen; returns false if that fails.
    static func begin() -> Bool {
        guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return false }
        var raw = saved
        raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        raw.c_cflag |= tcflag_t(CS8)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 else { return false }
        isRaw = 1
        atexit { TerminalMode.restore() }
        for crash in crashes {
            signal(crash) { number in
                TerminalMode.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        let enterSequence: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
        write(enterSequence)
        return true
    }

    /// Restores the terminal; has no effect when called again.
    static func restore() {
        if isRaw == 0 { return }
        isRaw = 0
        write(leaveSequence)
        tcsetattr(STDIN_FILENO, TCSANOW, &saved)
    }

    private static func write(_ text: StaticString) {
        _ = Foundation.write(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
