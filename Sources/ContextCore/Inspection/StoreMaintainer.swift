/// An inspector that also does an administrator's work on a database as a whole.
///
/// Where a backend's inspector is none, `storectl` says that there is no such work for its stores.
public protocol StoreMaintainer: StoreInspector {
    /// Does some work; what the store holds stays the same.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` for work that the database doesn't have.
    func perform(_ work: StoreMaintenance) throws
    /// Says what others have made on the store's tables, which goes when the store is removed or another one takes its place.
    ///
    /// - Returns: What each is called, once: `view top_games`. Nothing where there is no store, or nothing of that kind can be.
    func dependents() throws -> [String]
    /// Removes the store with everything that it holds.
    ///
    /// - Throws: ``StoreError/Code/notAStore`` where there is none, ``StoreError/Code/busy`` where somebody uses it.
    func drop() throws
}

extension StoreMaintainer {
    /// Nothing: a file goes as a whole.
    public func dependents() throws -> [String] { [] }
}

/// An inspector of a store in a file, which can be copied and put back as a whole while it is used.
public protocol StoreFileCopier: StoreInspector {
    /// Copies the store, as it is at one moment, into a new file that is whole by itself.
    ///
    /// - Throws: ``StoreError/Code/inputOutput`` where there is a file already, or the copy can't be made.
    func copy(to path: String) throws
    /// Puts a file into the place of the store; the file is then no longer where it was.
    ///
    /// - Throws: ``StoreError/Code/busy`` where somebody uses the store: nothing was changed.
    func replace(with path: String) throws
}

/// An inspector of a store beside which another one can be made that takes its place as a whole.
public protocol StoreReplacer: StoreInspector {
    /// Makes an empty place beside the store; what was left there by somebody who was killed goes.
    ///
    /// The place is kept from others as long as the inspector is open.
    ///
    /// - Returns: The settings that make the store's URL that of the place.
    /// - Throws: ``StoreError/Code/busy`` where somebody else is about to replace the store.
    func preparePlace() throws -> [String: String]
    /// Puts the store that was made in the place where the other one is, if there is any; the place is gone then.
    ///
    /// Whatever fails, also by a kill, the store is as it was.
    ///
    /// - Throws: ``StoreError/Code/busy`` where somebody uses the store.
    func replaceFromPlace() throws
    /// Removes the place with what was made there.
    ///
    /// - Throws: Whatever is in the way; whoever makes a place later tries again.
    func removePlace() throws
}

/// Names work on a database that changes nothing of what it holds.
public enum StoreMaintenance: String, Sendable, Hashable, CaseIterable {
    /// Gives back the room of what is gone.
    case vacuum
    /// Counts what is there anew, for the database's planning.
    case analyze
    /// Moves what was committed from the log into the file.
    case checkpoint
    /// Makes every index anew.
    case reindex
}
