/// Is the number a shell sees; the failures are those of sysexits(3), so that scripts can branch.
enum ExitCode: Int32, CaseIterable, Sendable {
    /// The command did what it was asked, or there was nothing to do.
    case success = 0
    /// The command ran and failed.
    case failure = 1
    /// The command ran fine, and found differences or damage.
    case differences = 2
    /// What was asked for needs a confirmation that was not given.
    case refused = 3
    /// The command was called in a way that makes no sense.
    case usage = 64
    /// Data, or a model file, is wrong.
    case badData = 65
    /// What the command needs to read is not there.
    case inputMissing = 66
    /// The server can't be reached.
    case unavailable = 69
    /// The tool itself is at fault.
    case internalFault = 70
    /// A file can't be made.
    case cannotCreate = 73
    /// Something can't be read or written.
    case inputOutput = 74
    /// Somebody else is in the way; the same may work later.
    case temporary = 75
    /// It isn't allowed.
    case permission = 77
    /// The configuration is wrong.
    case configuration = 78
    /// Somebody has stopped the command with SIGINT; what it works on is whole.
    case interrupted = 130
    /// Somebody has stopped the command with SIGTERM; what it works on is whole.
    case terminated = 143
}

extension ExitCode {
    /// Those of every command.
    static let ofAll: Set<ExitCode> = [.success, .usage, .internalFault, .inputOutput]
    /// Those of commands that open a store.
    static let ofStores: Set<ExitCode> = [
        .badData, .inputMissing, .unavailable, .temporary, .permission, .configuration,
    ]
    /// Those of commands that list the tenants of an address.
    static let ofTenantLists: Set<ExitCode> = [
        .inputMissing, .unavailable, .inputOutput, .temporary, .permission, .configuration,
    ]
    /// Those of commands that work on the stores of many tenants.
    ///
    /// An error of one tenant's store is in its line, not in the exit code.
    static let ofFleets = ofTenantLists.union([.differences])
    /// Those of commands that go on with what was stopped.
    static let ofStopping: Set<ExitCode> = [.interrupted, .terminated]
}
