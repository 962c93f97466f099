#if SQLite
import ContextCore
import Foundation

@testable import SQLiteBackend

/// A store in a temporary folder, which is deleted with this object.
final class TemporaryStore {
    let folder: URL
    let model: ObjectModel
    private(set) var coordinator: SQLiteCoordinator

    var path: String { folder.appendingPathComponent("store.sqlite").path }

    init(_ model: ObjectModel? = nil, _ change: (inout SQLiteConfiguration) -> Void = { _ in }) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        self.model = try model ?? GamesModel.make()
        var configuration = SQLiteConfiguration(path: folder.appendingPathComponent("store.sqlite").path)
        change(&configuration)
        coordinator = try SQLiteCoordinator(model: self.model, configuration)
    }

    deinit {
        coordinator.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func reopen(_ change: (inout SQLiteConfiguration) -> Void = { _ in }) throws {
        coordinator.close()
        var configuration = SQLiteConfiguration(path: path)
        change(&configuration)
        coordinator = try SQLiteCoordinator(model: model, configuration)
    }

    func read<Answer>(_ body: (any ReadSession) throws -> Answer) throws -> Answer {
        let session = try coordinator.openReadSession(SessionOptions(identifier: "test"))
        defer { session.end() }
        return try body(session)
    }

    @discardableResult
    func write(_ body: (any WriteSession) throws -> Void) throws -> StoreToken {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "test"))
        do {
            try body(session)
            return try session.commit()
        } catch {
            session.rollback()
            throw error
        }
    }

    /// Saves a change set, and returns the conflicts.
    @discardableResult
    func save(_ build: (inout ChangeSet, ObjectModel) throws -> Void) throws -> [RowConflict] {
        var changes = ChangeSet(author: "test")
        try build(&changes, model)
        var conflicts: [RowConflict] = []
        try write { session in conflicts = try session.apply(changes).conflicts }
        return conflicts
    }
}
#endif
