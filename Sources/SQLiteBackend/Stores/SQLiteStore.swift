#if SQLite
import ContextCore
import Foundation
import SQLStore
import Synchronization

/// What all sessions of an open store share.
///
/// State: whether the store is closed, an atomic; the idle readers, guarded by their pool; the writer, guarded by its lane.
final class SQLiteStore: Sendable {
    let model: ObjectModel
    let mapping: StoreMapping
    let configuration: SQLiteConfiguration
    let file: StoreFile
    let storeID: UUID
    /// What is selected of each entity's rows.
    let selections: RowSelections
    /// The statements of each entity, in the order of the model.
    let statements: [EntityStatements]
    let readers: ReaderPool
    let lane: WriterLane
    let keys = KeyBlocks()
    let files: StoreFiles
    let logMark: LogMark
    /// The statements about rows that were spelt before.
    let texts = StatementTexts()
    /// The requests that were compiled before.
    let templates: StatementTemplates
    /// The folder of a store in memory, which goes with the store.
    private let folder: MemoryFolder?
    private let closed = Atomic(false)

    init(
        model: ObjectModel, mapping: StoreMapping, configuration: SQLiteConfiguration, file: StoreFile,
        storeID: UUID,
        writer: SQLiteConnection?, folder: MemoryFolder?
    ) {
        self.model = model
        self.mapping = mapping
        self.configuration = configuration
        self.file = file
        self.storeID = storeID
        self.folder = folder
        let selections = RowSelections(mapping)
        self.selections = selections
        statements = model.layouts.indices.map { EntityStatements(mapping, $0, selections[$0]) }
        templates = StatementTemplates(mapping, .sqlite)
        files = StoreFiles(file)
        logMark = LogMark(isNeeded: configuration.journal == .wal && folder == nil)
        readers = ReaderPool(configuration, file)
        lane = WriterLane(configuration, file, writer: writer)
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Lets go of the idle connections; those in use are let go of by their sessions.
    func close() {
        guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        readers.close()
        lane.close()
    }

    func checkOpen() throws(StoreError) {
        if isClosed {
            throw StoreError(.closed, "The store is closed.", remedy: "Open it again.")
        }
    }
}
#endif
