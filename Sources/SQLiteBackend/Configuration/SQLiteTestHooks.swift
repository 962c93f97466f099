#if SQLite
package import ContextCore

/// The hooks by which tests inject failures between a store and its environment.
package struct SQLiteTestHooks: Sendable, Hashable {
    /// The name of the registered SQLite VFS that opens files, or nil for the default one.
    package var fileSystem: String?
    /// The hook that is called before every statement.
    package var statementHook: StatementHook?
    /// The number of virtual machine instructions between calls of the progress handler, or nil for the usual number.
    package var progressInterval: Int32?

    /// The sizes at which the write-ahead log is checkpointed.
    package var logSizes = LogSizes()
    /// The hook that is called by the progress handler, on the thread that runs the statement.
    package var progressHook: ProgressHook?

    package init(
        fileSystem: String? = nil, statementHook: StatementHook? = nil, progressInterval: Int32? = nil
    ) {
        self.fileSystem = fileSystem
        self.statementHook = statementHook
        self.progressInterval = progressInterval
    }
}

/// The sizes in bytes at which the write-ahead log is checkpointed.
package struct LogSizes: Sendable, Hashable {
    /// The size from which a checkpoint is worthwhile.
    package var worthwhile = 4 << 20
    /// The size from which the writer waits for readers that block the checkpoint.
    package var urgent = 256 << 20

    package init() {}
}

/// A hook that the progress handler calls while a statement runs.
package final class ProgressHook: Sendable, Hashable {
    let handler: @Sendable () -> Void

    package init(_ handler: @escaping @Sendable () -> Void) {
        self.handler = handler
    }

    package static func == (left: ProgressHook, right: ProgressHook) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A hook that is called with every statement before it runs, and may make it fail.
package final class StatementHook: Sendable, Hashable {
    /// The error of a failed statement.
    package typealias Failure = StoreError

    let check: @Sendable (String) throws(Failure) -> Void

    package init(_ check: @escaping @Sendable (String) throws(Failure) -> Void) {
        self.check = check
    }

    package static func == (left: StatementHook, right: StatementHook) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
#endif
