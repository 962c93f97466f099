#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Opens a store, or makes one where there is none.
struct StoreOpening {
    let model: ObjectModel
    var configuration: SQLiteConfiguration

    func open() throws(StoreError) -> SQLiteStore {
        guard let path = configuration.path else { return try openInMemory() }
        return try open(StoreFile(path), folder: nil)
    }

    /// A store in memory is a file that goes with its coordinator, so nothing needs to wait for a disk.
    private func openInMemory() throws(StoreError) -> SQLiteStore {
        let folder = try MemoryFolder()
        var opening = self
        opening.configuration.synchronous = .off
        return try opening.open(StoreFile(folder.path + "/store.sqlite"), folder: folder)
    }

    private func open(_ file: StoreFile, folder: MemoryFolder?) throws(StoreError) -> SQLiteStore {
        if configuration.mode == .create, !file.exists { try file.create() }
        guard file.exists else {
            throw StoreError(
                .notAStore, "There is no store at “\(file.path)”.",
                remedy: "Correct the path, or open it with mode=rwc.")
        }
        if file.hasContent { try file.checkHeader() }
        if configuration.mode == .read { return try store(file, reader(file), writer: nil, folder) }
        let writer = try WriterLane.connect(configuration, file)
        try prepare(writer)
        return try store(file, writer, writer: writer, folder)
    }

    private func reader(_ file: StoreFile) throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: file.path, access: .read, timeout: configuration.busyTimeout)
        try connection.configure(configuration)
        return connection
    }

    /// Makes the tables of a new store, in one transaction, and puts the file into its journal mode.
    ///
    /// The tables are made before the journal mode is set, so that the file's own header says from the start whose it is.
    private func prepare(_ connection: SQLiteConnection) throws(StoreError) {
        if try connection.integer("PRAGMA application_id") != StoreFile.applicationID {
            try connection.execute("BEGIN IMMEDIATE")
            do throws(StoreError) {
                if try connection.integer("PRAGMA application_id") != StoreFile.applicationID {
                    guard configuration.mode == .create else {
                        throw StoreError(
                            .notAStore, "The file of the store is empty.",
                            remedy: "Correct the path, or open it with mode=rwc.")
                    }
                    try StoreCreation(model: model, connection: connection).create()
                }
                try connection.execute("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                throw error
            }
        }
        try connection.setJournal(configuration.journal)
    }

    private func checkModel(_ catalogue: StoreCatalogue) throws(StoreError) {
        let fingerprint = try catalogue.modelFingerprint()
        if fingerprint == model.fingerprint { return }
        throw StoreError(
            .modelMismatch, "The store was made with another model.",
            remedy:
                "Migrate the store, or open it with the model that it was made with; nothing was changed.",
            detail: "The store's model is \(fingerprint), the program's \(model.fingerprint).")
    }

    private func store(
        _ file: StoreFile, _ connection: SQLiteConnection, writer: SQLiteConnection?, _ folder: MemoryFolder?
    ) throws(StoreError) -> SQLiteStore {
        let catalogue = StoreCatalogue(connection: connection)
        let storeID = try catalogue.storeID()
        try checkModel(catalogue)
        let mapping = StoreMapping(model, numbers: try catalogue.entityNumbers(), longestName: nil)
        if writer == nil { connection.close() }
        return SQLiteStore(
            model: model, mapping: mapping, configuration: configuration, file: file, storeID: storeID,
            writer: writer,
            folder: folder)
    }
}
#endif
