/// Is the number a shell sees; the failures are those of sysexits(3), so that scripts can branch.
enum ExitCode: Int32 {
    /// The command did what it was asked, or there was nothing to do.
    case success = 0
    /// The command was called in a way that makes no sense.
    case usage = 64
}
