extension StoreError {
    /// The kind of an error.
    ///
    /// Later versions may add codes, so a `switch` over them needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) { self.name = name }

        public var description: String { name }

        /// Objects violate validation rules of the model.
        public static let validation = Code("validation")
        /// Another context or process saved or deleted the same objects since they were fetched.
        public static let conflict = Code("conflict")
        /// Another object has the same values in a unique constraint.
        public static let duplicate = Code("duplicate")
        /// A row refers to a row that doesn't exist.
        public static let missingReference = Code("missingReference")
        /// The store has no row for an object, or no longer has one.
        public static let objectNotFound = Code("objectNotFound")
        /// A fault or an unloaded relationship was accessed where loading is forbidden.
        public static let faultForbidden = Code("faultForbidden")
        /// The entity or property doesn't exist, or the value doesn't fit its type.
        public static let unknownProperty = Code("unknownProperty")
        /// The request can't be executed: it combines or contains something that stores don't support.
        public static let unsupportedRequest = Code("unsupportedRequest")
        /// A read-only context was asked to save.
        public static let readOnly = Code("readOnly")
        /// The `willSave` hooks kept changing objects, so the save was given up.
        public static let endlessWillSave = Code("endlessWillSave")
        /// A URL, an option or a configuration file is invalid.
        public static let configuration = Code("configuration")
        /// The server rejected the user: the name or the password is wrong, it accepts no connections from this host, or row security hides
        /// rows that an operation needs.
        public static let accessDenied = Code("accessDenied")
        /// The store was created with another model.
        public static let modelMismatch = Code("modelMismatch")
        /// A migration would lose data, or found something that needs a decision or a repair first.
        public static let migrationRefused = Code("migrationRefused")
        /// A migration of the store was started but not finished.
        public static let migrationUnfinished = Code("migrationUnfinished")
        /// The store, or the part of it that was used, is closed.
        public static let closed = Code("closed")
        /// The operation was cancelled.
        public static let cancelled = Code("cancelled")
        /// A statement exceeded its time limit.
        public static let timeout = Code("timeout")
        /// An operation would wait forever: for another one that waits for it, or for a block that makes no progress.
        public static let wouldDeadlock = Code("wouldDeadlock")
        /// The history after a token was deleted, or the token is from another store; ``StoreError/expiredHistory`` has the details.
        public static let historyExpired = Code("historyExpired")
        /// No store exists at the given location.
        public static let storeNotFound = Code("storeNotFound")
        /// The file is not a database.
        public static let notADatabase = Code("notADatabase")
        /// The database belongs to another program.
        public static let notAStore = Code("notAStore")
        /// A newer version of this library made the store.
        public static let newerFormat = Code("newerFormat")
        /// Another program changed the store's tables, or added triggers to them.
        public static let alteredSchema = Code("alteredSchema")
        /// A file that belongs to the store and holds committed data is missing.
        public static let storeIncomplete = Code("storeIncomplete")
        /// The database is damaged.
        public static let corrupt = Code("corrupt")
        /// Another process or connection held a lock of the store for too long.
        public static let busy = Code("busy")
        /// The disk is full.
        public static let diskFull = Code("diskFull")
        /// A read or write failed in the operating system.
        public static let inputOutput = Code("inputOutput")
        /// The store's file or schema was moved, replaced or deleted while it was open.
        public static let storeMoved = Code("storeMoved")
        /// The transaction collided with another one; a retry may succeed.
        public static let contention = Code("contention")
        /// More operations are waiting than the store's options allow.
        public static let overloaded = Code("overloaded")
        /// A commit was sent, but its outcome is unknown.
        public static let commitOutcomeUnknown = Code("commitOutcomeUnknown")
        /// The server can't be reached, or the connection was lost.
        public static let connectionLost = Code("connectionLost")
        /// The database failed in a way that no other code describes.
        ///
        /// If it rejected a statement of this library, please report a bug.
        public static let database = Code("database")
    }
}

/// Matches an error by its code: `catch StoreError.Code.conflict`.
public func ~= (code: StoreError.Code, error: any Error) -> Bool {
    (error as? StoreError)?.code == code
}
