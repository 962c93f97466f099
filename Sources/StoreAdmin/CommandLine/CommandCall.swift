/// One call of a command: what was said, and what the tool has at hand.
struct CommandCall: Sendable {
    var arguments: ParsedArguments
    let tool: Tool
    let form: OutputForm
    /// Takes what a command prints piece by piece, because it may be too much for one report.
    let output: Output
    /// Tells a command that can stop between two parts of its work whether it should.
    var interruption = Interruption.none
    /// Whether the same call is made for the stores of several tenants, which may be of several versions.
    var isOneOfMany = false
    /// The address that `--store` means, where it was looked up before; nil where each use looks it up.
    var resolvedAddress: ResolvedAddress?

    /// Whether a store is named, for commands that do something else without one.
    var namesStore: Bool { arguments["store"] != nil || arguments["tenant"] != nil }

    /// The store that `--store` and `--tenant` mean.
    func store() throws -> AdministeredStore { try address().store(tenant: arguments["tenant"]) }

    /// The address that `--store` means, which the stores of many tenants may share.
    func address() throws -> ResolvedAddress {
        try resolvedAddress ?? tool.address(arguments["store"], config: arguments["config"])
    }

    /// The store that an operand names.
    func store(_ text: String) throws -> AdministeredStore {
        try tool.store(text, config: arguments["config"])
    }
}
