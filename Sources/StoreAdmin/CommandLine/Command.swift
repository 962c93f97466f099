/// Is one command of the tool.
protocol Command: Sendable {
    /// How it is called.
    var declaration: CommandDeclaration { get }

    /// Does what it was called for. It may block its thread.
    ///
    /// - Returns: What it found; the caller prints it in the form that was asked for.
    /// - Throws: ``AdminError``, `StoreError` or any other error, which the caller turns into words and an exit code.
    func run(_ call: CommandCall) throws -> Report
}
