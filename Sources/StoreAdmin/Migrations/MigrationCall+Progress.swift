import ContextCore

extension MigrationCall {
    /// Migrates the store, prints progress, and after a signal stops between two steps or batches.
    func migrateWithProgress(_ options: MigrationOptions) throws -> MigrationOutcome {
        var options = options
        let progress = MigrationProgressPrinter(call.output)
        defer { progress.finish() }
        options.progress = progress.report
        do {
            return try call.stopRequest.withSignalHandlers {
                try store.backend.migrate(store.url, to: versions, options)
            }
        } catch let error as StoreError {
            // A signal also stops a migration that waits for a lock.
            guard [.cancelled, .busy, .contention].contains(error.code) else { throw error }
            throw call.stopRequest.error("The migration", hint: try hint()) ?? error
        }
    }

    /// Returns the remedy after a stop.
    private func hint() throws -> String {
        try state().run == nil
            ? "No migration is unfinished. Run the command again."
            : "Continue with 'storectl migrate resume', or undo the migration with 'storectl migrate rollback'."
    }
}
