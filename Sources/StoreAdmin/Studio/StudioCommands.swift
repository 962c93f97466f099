import ContextCore
import Foundation
import Synchronization

/// Runs commands for the page, in this process, on the store of the studio.
///
/// A page can send many requests at once, and each command opens the store, so only some run at the same time; the others wait.
struct StudioCommands: Sendable {
    let tool: Tool
    let tree: CommandTree
    /// The options that select the store, as the user gave them to `studio`.
    let selection: ParsedArguments
    /// The store's address, which is resolved once: a command that prints its password runs once.
    let address: ResolvedAddress
    let stopRequest: StopRequest
    private let slots = StudioSlots(8, "requests of the page")
    /// Those of exports, which run for as long as the browser takes to receive the file, and must not delay the page.
    private let exportSlots = StudioSlots(4, "exports")

    init(
        tool: Tool, tree: CommandTree = .all, selection: ParsedArguments, address: ResolvedAddress,
        stopRequest: StopRequest = .none
    ) {
        var tool = tool
        // A command must not wait for what the user types in the terminal of the studio.
        tool.input = LineInput(isTerminal: false) { nil }
        self.tool = tool
        self.tree = tree
        self.selection = selection
        self.address = address
        self.stopRequest = stopRequest.withoutSignals
    }

    func store() throws -> AdministeredStore { try address.store(tenant: selection["tenant"]) }

    /// Returns a command with its name; nil if the tool has none.
    func command(_ words: [String]) -> (any Command)? { tree.command(words) }

    /// Runs a command and returns its report, which is printed as JSON.
    ///
    /// - Parameter arguments: The words after those of the command, without the options that select the store.
    func run(_ command: any Command, _ arguments: [String]) throws -> Report {
        try slots.withSlot { try report(command, arguments) { _ in } }
    }

    /// Runs a command that prints a file itself, such as the rows of an export, until its last part is received.
    func export(
        _ command: any Command, _ arguments: [String], write: @escaping @Sendable (String) throws -> Void
    ) throws {
        _ = try exportSlots.withSlot { try report(command, arguments, write: write) }
    }

    private func report(
        _ command: any Command, _ arguments: [String], write: @escaping @Sendable (String) throws -> Void
    ) throws -> Report {
        let declaration = command.declaration
        let words = selectionWords(of: declaration) + ["--quiet"] + arguments
        let call = CommandCall(
            arguments: try ArgumentParser.parse(words, for: declaration), tool: tool, format: .json,
            output: Output(data: write, message: { _ in }, isQuiet: true), stopRequest: stopRequest,
            resolvedAddress: address)
        return try command.run(call)
    }

    /// Ends the waits of requests for their turn, because the studio stops; later requests are errors.
    func stop() {
        slots.stop()
        exportSlots.stop()
    }

    /// Saves the changes in a document, as the command `change` does.
    ///
    /// The user has confirmed changes of a production store when the studio started.
    func change(_ document: Data) throws -> Report {
        try slots.withSlot {
            try ChangeRun.report(of: document, named: "the page's changes", on: store(), tool)
        }
    }

    /// Returns a report as JSON, without secrets.
    func document(_ report: Report) throws -> String {
        let text = Mutex("")
        let output = Output(data: { part in text.withLock { $0 += part } }, message: { _ in })
        try report.naming(tool).print(.json, to: output, hiding: tool.environment.secrets)
        return text.withLock { $0 }
    }

    /// Returns any error as the tool prints it, without secrets.
    func error(_ error: any Error) -> AdminError {
        AdminError(error).redacted(tool.environment.secrets).naming(tool)
    }

    private func selectionWords(of declaration: CommandDeclaration) -> [String] {
        let names =
            ["store", "config"] + (declaration.takesTenant ? ["tenant"] : [])
            + (declaration.options.contains(ModelHistory.option) ? [ModelHistory.option.name] : [])
        return names.compactMap { name in selection[name].map { "--\(name)=\($0)" } }
    }
}
