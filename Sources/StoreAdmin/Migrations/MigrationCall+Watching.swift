import ContextCore

extension MigrationCall {
    /// Migrates, says how far that is, and stops between two steps or batches where somebody asks for it.
    func watched(_ options: MigrationOptions) throws -> MigrationOutcome {
        var options = options
        let telling = MigrationTelling(call.output)
        defer { telling.finish() }
        options.progress = telling.tell
        do {
            return try call.interruption.heeded {
                try store.backend.migrate(store.url, to: versions, options)
            }
        } catch let error as StoreError {
            // Whoever waits for somebody else is stopped too.
            guard [.cancelled, .busy, .contention].contains(error.code) else { throw error }
            throw call.interruption.error("The migration", hint: try hint()) ?? error
        }
    }

    /// How a migration that was stopped goes on.
    private func hint() throws -> String {
        try state().run == nil
            ? "Nothing was begun; the same command begins again."
            : "Go on with 'storectl migrate resume', or take it back with 'storectl migrate rollback'."
    }
}
