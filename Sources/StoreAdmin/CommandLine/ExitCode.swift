/// The exit codes of the tool, which are those of sysexits(3) from 64 to 78.
enum ExitCode: Int32, CaseIterable, Sendable {
    /// The command succeeded, or there was nothing to do.
    case success = 0
    /// The command failed.
    case failure = 1
    /// The command ran to its end, and found differences or damage.
    case differences = 2
    /// The command was refused because it needs a confirmation.
    case refused = 3
    /// The command line is invalid.
    case usage = 64
    /// Data or a model file is invalid.
    case badData = 65
    /// A file, store, or object that the command reads does not exist.
    case inputMissing = 66
    /// The server can't be reached.
    case unavailable = 69
    /// A bug in the tool.
    case internalFault = 70
    /// A file can't be created.
    case cannotCreate = 73
    /// Reading or writing failed.
    case inputOutput = 74
    /// Another process holds a lock; the same command may succeed later.
    case temporary = 75
    /// Access is denied.
    case permission = 77
    /// The configuration is invalid.
    case configuration = 78
    /// SIGINT stopped the command, which left the store consistent.
    case interrupted = 130
    /// SIGTERM stopped the command, which left the store consistent.
    case terminated = 143
}

extension ExitCode {
    /// What the code says, for the manual pages.
    var meaning: String {
        switch self {
        case .success: "The command succeeded, or there was nothing to do."
        case .failure: "The command failed."
        case .differences: "The command ran to its end, and found differences or damage."
        case .refused: "The command was refused, because it needs a confirmation or a decision."
        case .usage: "The command line is invalid."
        case .badData: "Data or a model file is invalid."
        case .inputMissing: "A file, a store or an object that the command reads does not exist."
        case .unavailable: "The server can't be reached."
        case .internalFault: "There is a bug in the tool."
        case .cannotCreate: "A file can't be created."
        case .inputOutput: "Reading or writing failed."
        case .temporary: "Another process holds a lock; the same command may succeed later."
        case .permission: "Access is denied."
        case .configuration: "The configuration is invalid."
        case .interrupted: "SIGINT stopped the command."
        case .terminated: "SIGTERM stopped the command."
        }
    }

    /// The codes of every command.
    static let allCommands: Set<ExitCode> = [.success, .usage, .internalFault, .inputOutput]
    /// The codes of commands that open a store.
    static let storeCommands: Set<ExitCode> = [
        .badData, .inputMissing, .unavailable, .temporary, .permission, .configuration,
    ]
    /// The codes of commands that list the tenants of an address.
    static let tenantListCommands: Set<ExitCode> = [
        .inputMissing, .unavailable, .inputOutput, .temporary, .permission, .configuration,
    ]
    /// The codes of commands that work on the stores of many tenants.
    ///
    /// An error of a tenant's store is reported in the tenant's line, and makes the exit code ``differences``.
    static let fleetCommands = tenantListCommands.union([.differences])
    /// The codes of commands that a signal has stopped.
    static let stoppableCommands: Set<ExitCode> = [.interrupted, .terminated]
}
