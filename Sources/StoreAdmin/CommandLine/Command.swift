/// A command of the tool.
protocol Command: Sendable {
    /// The command's name, operands, options, and help.
    var declaration: CommandDeclaration { get }

    /// Runs the command. It may block its thread.
    ///
    /// - Returns: The result, which the caller prints in the requested format.
    /// - Throws: ``AdminError``, `StoreError` or any other error, which the caller turns into a message and an exit code.
    func run(_ call: CommandCall) throws -> Report
}
