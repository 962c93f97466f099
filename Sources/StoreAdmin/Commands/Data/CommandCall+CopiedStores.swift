extension CommandCall {
    /// Returns the stores of a command that copies objects from its first operand to its second one.
    ///
    /// - Throws: ``AdminError`` if both are the same store, or if the destination needs a confirmation.
    func copiedStores() throws -> (source: AdministeredStore, destination: AdministeredStore) {
        let source = try store(arguments.operands[0])
        let destination = try store(arguments.operands[1])
        try Confirmation.check(self, destination)
        guard source.url != destination.url else {
            throw AdminError.usage(
                "the source and the destination are the same store.",
                hint: "Name another store as the destination.")
        }
        return (source, destination)
    }
}
