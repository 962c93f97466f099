#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Opens a store, or creates it if it doesn't exist.
struct StoreOpening {
    let model: ObjectModel
    var configuration: SQLiteConfiguration

    func open() throws(StoreError) -> SQLiteStore {
        guard let path = configuration.path else { return try openInMemory() }
        return try open(StoreFile(path), folder: nil)
    }

    /// Opens an in-memory store, a file without syncs that is removed with its coordinator.
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
                .storeNotFound, "There is no store at “\(file.path)”.",
                remedy: "Correct the path, or open it with mode=rwc to create a store.")
        }
        try file.checkHeader(configuration.testHooks)
        let reads = configuration.mode == .read
        let connection = try SQLiteConnection.open(reads ? .read : .readAndWrite, file, configuration)
        if reads { try check(connection, file) } else { try prepare(connection, file) }
        return try store(file, connection, folder)
    }

    /// Checks a store that is opened read-only.
    private func check(_ connection: SQLiteConnection, _ file: StoreFile) throws(StoreError) {
        let header = try StoreHeader(reading: connection)
        if header.isEmpty { throw emptyFileError }
        try header.check(file)
    }

    /// Creates the tables of an empty file, or checks an existing store without waiting for its writer.
    private func prepare(_ connection: SQLiteConnection, _ file: StoreFile) throws(StoreError) {
        let header = try StoreHeader(reading: connection)
        if header.isEmpty { try createTables(connection, file) } else { try header.check(file) }
    }

    /// Creates the tables of a new store in one transaction, unless another process has done so in the meantime.
    ///
    /// The journal mode is set afterwards, so that the file's header identifies the store from the start.
    private func createTables(_ connection: SQLiteConnection, _ file: StoreFile) throws(StoreError) {
        guard configuration.mode == .create else { throw emptyFileError }
        try connection.begin(writing: true)
        do throws(StoreError) {
            let header = try StoreHeader(reading: connection)
            if header.isEmpty {
                try StoreCreation(model, connection).create()
            } else {
                try header.check(file)
            }
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    private var emptyFileError: StoreError {
        StoreError(
            .storeNotFound, "The file at the store's path is empty and contains no store.",
            remedy: "Correct the path, or open it with mode=rwc to create a store in the file.")
    }

    private func store(
        _ file: StoreFile, _ connection: SQLiteConnection, _ folder: MemoryFolder?
    ) throws(StoreError) -> SQLiteStore {
        let catalog = StoreCatalog(connection: connection)
        let storeID = try catalog.storeID()
        try CurrentModel(catalog.modelFingerprint()).check(model) { () throws(StoreError) in
            try catalog.value(of: CurrentModel.sharedModelKey)
        }
        let mapping = StoreMapping(
            model, numbers: try catalog.entityNumbers(of: model), maximumNameLength: nil)
        let isWriter = connection.access == .readAndWrite
        try SchemaCheck(mapping, connection).check(isRead: !isWriter)
        // Comes last because it changes the file: a store that is refused stays unchanged.
        if isWriter { try connection.setJournal(configuration.journal) }
        if !isWriter { connection.close() }
        return SQLiteStore(
            model: model, mapping: mapping, configuration: configuration, file: file, storeID: storeID,
            writer: isWriter ? connection : nil, folder: folder)
    }
}
#endif
