extension StoreError {
    /// Kinds of trouble.
    ///
    /// More may be added, so a `switch` over them needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) { self.name = name }

        public var description: String { name }

        /// Objects break the rules of their model.
        public static let validation = Code("validation")
        /// Somebody else saved or deleted the same objects in between.
        public static let conflict = Code("conflict")
        /// Another object has the same values of a unique constraint.
        public static let duplicate = Code("duplicate")
        /// A row that is referred to is not there.
        public static let missingReference = Code("missingReference")
        /// An object's row is not, or no longer, in the store.
        public static let objectNotFound = Code("objectNotFound")
        /// An unloaded object or relationship was touched where that is forbidden.
        public static let faultForbidden = Code("faultForbidden")
        /// There is no such entity or property, or the value doesn't fit it.
        public static let unknownProperty = Code("unknownProperty")
        /// A request asks for what can't be expressed.
        public static let unsupportedRequest = Code("unsupportedRequest")
        /// A context that may only read was asked to save.
        public static let readOnly = Code("readOnly")
        /// willSave hooks never came to rest.
        public static let unsettledSave = Code("unsettledSave")
        /// A URL or a setting can't be understood.
        public static let configuration = Code("configuration")
        /// The server doesn't let the user in: the name or the password is wrong, or it takes none from there.
        public static let accessDenied = Code("accessDenied")
        /// The store was made with another model.
        public static let modelMismatch = Code("modelMismatch")
        /// A migration would lose data, or meets what somebody has to decide or to mend first.
        public static let migrationRefused = Code("migrationRefused")
        /// A migration of the store was begun and is not finished.
        public static let migrationUnfinished = Code("migrationUnfinished")
        /// The store, or the part of it that was asked for, is closed.
        public static let closed = Code("closed")
        /// The operation was cancelled.
        public static let cancelled = Code("cancelled")
        /// A statement took longer than it may.
        public static let timeout = Code("timeout")
        /// An operation would wait forever for another that waits for it, or for a block that makes no progress.
        public static let wouldDeadlock = Code("wouldDeadlock")
        /// A history token is older than the history that is kept, or of another store; ``StoreError/expiredHistory`` says where to
        /// go on.
        public static let historyExpired = Code("historyExpired")
        /// There is no store at the place that was named.
        public static let storeNotFound = Code("storeNotFound")
        /// The file is no database at all.
        public static let notADatabase = Code("notADatabase")
        /// The database is another program's.
        public static let notAStore = Code("notAStore")
        /// A newer version of this library made the store.
        public static let newerFormat = Code("newerFormat")
        /// Somebody has changed the store's tables, or put triggers on them.
        public static let alteredSchema = Code("alteredSchema")
        /// A file that belongs to the store, and holds a part of what was committed, is not there.
        public static let storeIncomplete = Code("storeIncomplete")
        /// The database is damaged.
        public static let corrupt = Code("corrupt")
        /// Another process or connection held the store for too long.
        public static let busy = Code("busy")
        /// There is no room left on the disk.
        public static let diskFull = Code("diskFull")
        /// The operating system couldn't read or write.
        public static let inputOutput = Code("inputOutput")
        /// The store's file or schema was moved, replaced or deleted while it was open.
        public static let storeMoved = Code("storeMoved")
        /// Another transaction got in the way; the same work may succeed when it is done again.
        public static let contention = Code("contention")
        /// More operations wait than the store's options let.
        public static let overloaded = Code("overloaded")
        /// A commit was sent, and whether it happened is not known.
        public static let commitOutcomeUnknown = Code("commitOutcomeUnknown")
        /// The server can't be reached, or was lost.
        public static let connectionLost = Code("connectionLost")
        /// The database refused a statement, which is a fault of this library.
        public static let database = Code("database")
    }
}

/// Lets a `catch` name a code: `catch StoreError.Code.conflict`.
public func ~= (code: StoreError.Code, error: any Error) -> Bool {
    (error as? StoreError)?.code == code
}
