/// One call of a command: its arguments, the tool, and the output.
struct CommandCall: Sendable {
    var arguments: ParsedArguments
    let tool: Tool
    let format: OutputFormat
    /// The destination of messages, and of data that a command prints in pieces because it may be too large for a report.
    let output: Output
    /// The source of requests to stop, which a command checks between two steps of its work.
    var stopRequest = StopRequest.none
    /// Whether a fleet command makes this call for each of several tenants, whose stores may have different versions.
    var isPartOfFleet = false
    /// The address that `--store` names, if it is already resolved; nil if each use resolves it.
    var resolvedAddress: ResolvedAddress?

    /// Whether the arguments name a store, for commands in which a store is optional.
    var namesStore: Bool { arguments["store"] != nil || arguments["tenant"] != nil }

    /// Resolves the store that `--store` and `--tenant` name.
    func store() throws -> AdministeredStore { try address().store(tenant: arguments["tenant"]) }

    /// Resolves the address that `--store` names, which the stores of many tenants may share.
    func address() throws -> ResolvedAddress {
        try resolvedAddress ?? tool.address(arguments["store"], config: arguments["config"])
    }

    /// Resolves the store that an operand names.
    func store(_ text: String) throws -> AdministeredStore {
        try tool.store(text, config: arguments["config"])
    }
}
