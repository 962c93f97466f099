#if SQLite
import ContextCore
import Foundation
import SQLStore
import Synchronization

/// The shared state of an open store's sessions.
///
/// The closed flag is atomic, the pool guards the idle readers, and the lane guards the writer.
final class SQLiteStore: OpenStore, Sendable {
    let model: ObjectModel
    let mapping: StoreMapping
    let configuration: SQLiteConfiguration
    let file: StoreFile
    let storeID: UUID
    let dialect = SQLDialect.sqlite
    let selections: RowSelections
    /// The statements of each entity, in the order of the model.
    let statements: [EntityStatements]
    let readers: ReaderPool
    let lane: WriterLane
    let keys = KeyBlocks()
    let files: StoreFiles
    let logFlag: LogFlag
    let texts = StatementTexts()
    let templates: StatementTemplates
    /// The folder of an in-memory store, which is removed with the store.
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
        logFlag = LogFlag(isNeeded: configuration.journal == .wal && folder == nil)
        readers = ReaderPool(configuration, file)
        lane = WriterLane(configuration, file, writer: writer)
    }

    var isClosed: Bool { closed.load(ordering: .acquiring) }

    /// Closes the idle connections; sessions close those in use.
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
