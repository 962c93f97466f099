/// An inspector that also maintains a database as a whole.
///
/// If a backend's inspector doesn't conform, `storectl` reports that its stores don't support maintenance.
public protocol StoreMaintainer: StoreInspector {
    /// Performs maintenance that doesn't change the store's data.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the database doesn't support it.
    func perform(_ work: StoreMaintenance) throws
    /// Returns the user-defined objects on the store's tables, which are lost if the store is dropped or replaced.
    ///
    /// - Returns: The kinds and names of the objects, such as `view top_games`; empty if there is no store.
    func userDefinedObjects() throws -> [String]
    /// Drops the store with all of its data.
    ///
    /// - Throws: ``StoreError/Code/notAStore`` if there is no store, ``StoreError/Code/busy`` if the store is in use.
    func drop() throws
}

extension StoreMaintainer {
    /// Returns an empty array, for stores in files.
    public func userDefinedObjects() throws -> [String] { [] }
}

/// An inspector of a store in a file, which can be copied and replaced as a whole while it is in use.
public protocol StoreFileCopier: StoreInspector {
    /// Copies a snapshot of the store into a new, self-contained file.
    ///
    /// - Throws: ``StoreError/Code/inputOutput`` if the file exists or the copy fails.
    func copy(to path: String) throws
    /// Replaces the store by moving a file to its path.
    ///
    /// - Throws: ``StoreError/Code/busy`` if the store is in use; then nothing was changed.
    func replace(with path: String) throws
}

/// An inspector of a store that can be replaced as a whole by another store, which is first created in a staging area next to it.
public protocol StoreReplacer: StoreInspector {
    /// Creates an empty staging area next to the store, in place of one that a killed process has left.
    ///
    /// The staging area is locked against other processes as long as the inspector is open.
    ///
    /// - Returns: The settings that turn the store's URL into that of the staging area.
    /// - Throws: ``StoreError/Code/busy`` if another process is replacing the store.
    func prepareStagingArea() throws -> [String: String]
    /// Replaces the store, if there is one, by the store in the staging area, and removes the staging area.
    ///
    /// If it fails, even because the process is killed, the store is unchanged.
    ///
    /// - Throws: ``StoreError/Code/busy`` if the store is in use.
    func replaceFromStagingArea() throws
    /// Removes the staging area with its contents.
    ///
    /// - Throws: An error of the database; ``prepareStagingArea()`` removes the staging area the next time.
    func removeStagingArea() throws
}

/// Maintenance of a database that doesn't change its data.
public enum StoreMaintenance: String, Sendable, Hashable, CaseIterable {
    /// Frees the space of deleted data.
    case vacuum
    /// Updates the statistics of the query planner.
    case analyze
    /// Copies committed data from the write-ahead log to the database file.
    case checkpoint
    /// Rebuilds all indexes.
    case reindex
}
