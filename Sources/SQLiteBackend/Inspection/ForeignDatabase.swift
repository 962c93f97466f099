#if SQLite
import CSQLite
import ContextCore
import Foundation

/// Reads the rows of another program's SQLite file, and changes neither the file nor those beside it.
///
/// A file without a log is opened as immutable. One with a write-ahead log or a rollback journal is copied with it to a temporary folder,
/// because SQLite would write an index of the log, or roll the journal back.
final class ForeignDatabase: ForeignRowReader {
    let connection: SQLiteConnection
    private var temporaryFolder: String?

    init(_ configuration: SQLiteConfiguration) throws {
        guard let path = configuration.path else {
            throw StoreError(
                .unsupportedRequest, "A database in memory ends with its program.",
                remedy: "Give the path of a file.")
        }
        let file = try StoreFile(path)
        guard let identity = FileIdentity(of: file.path) else {
            throw StoreError(
                .storeNotFound, "There is no file at “\(file.path)”.", remedy: "Correct the path.")
        }
        if identity.isFolder {
            throw StoreError.sqlite(SQLITE_CANTOPEN | (2 << 8), detail: "the path is a folder")
        }
        let logs = [file.log, file.journal].filter { FileIdentity(of: $0)?.isEmpty == false }
        if logs.isEmpty {
            connection = try Self.open(file.path, isImmutable: true, configuration)
            return
        }
        let folder = try Self.copy([file.path] + logs)
        temporaryFolder = folder
        do {
            let copy = try StoreFile(folder + "/" + URL(fileURLWithPath: file.path).lastPathComponent)
            connection = try Self.open(copy.path, isImmutable: false, configuration)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    deinit { close() }

    private static func open(
        _ path: String, isImmutable: Bool, _ configuration: SQLiteConfiguration
    ) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: path, access: .read, timeout: configuration.busyTimeout, testHooks: configuration.testHooks,
            recovers: !isImmutable, isImmutable: isImmutable,
            trace: configuration.statementLog.map { StatementTrace($0, configuration.databaseName) })
        try StoreHeader(raw: connection).checkForeignFile(path)
        try connection.configure(configuration)
        return connection
    }

    /// Copies files to a new temporary folder, which only this user can read.
    private static func copy(_ paths: [String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "storectl-\(UUID().uuidString)"
        ).path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for path in paths {
                let name = URL(fileURLWithPath: path).lastPathComponent
                try FileManager.default.copyItem(atPath: path, toPath: folder + "/" + name)
            }
            return folder
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw StoreError(
                .inputOutput,
                "The database “\(paths[0])” has a log, and can't be copied to \(folder) to read it.",
                remedy:
                    "Check the permissions and the free space of the folder for temporary files (TMPDIR).",
                detail: "\(error)")
        }
    }

    func forEachRow(
        of query: String, _ parameters: [StoredValue], _ body: ([StoredValue]) throws -> Void
    ) throws {
        let statement = try connection.statement(query)
        defer { statement.reset() }
        for (index, value) in parameters.enumerated() { try bind(value, Int32(index + 1), statement) }
        let width = sqlite3_column_count(statement.handle)
        while try statement.step() {
            try body((0..<width).map { Self.value(statement, $0) })
        }
    }

    private func bind(_ value: StoredValue, _ index: Int32, _ statement: SQLiteStatement) throws {
        switch value {
        case .null: statement.bindNull(index)
        case .bool(let value): statement.bind(index, Int64(value ? 1 : 0))
        case .int(let value): statement.bind(index, value)
        case .double(let value): statement.bind(index, value)
        case .string(let value): try statement.bind(index, value)
        case .data(let value): try statement.bindCopy(index, [UInt8](value))
        case .decimal, .timestamp, .uuid, .composite:
            throw StoreError(
                .unsupportedRequest,
                "A query of another program's database takes numbers, text and data only.")
        }
    }

    private static func value(_ statement: SQLiteStatement, _ column: Int32) -> StoredValue {
        switch sqlite3_column_type(statement.handle, column) {
        case SQLITE_INTEGER: return .int(statement.integer(column))
        case SQLITE_FLOAT: return .double(statement.double(column))
        case SQLITE_TEXT:
            let bytes = statement.bytes(column)
            return String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .data(Data(bytes))
        case SQLITE_BLOB: return .data(Data(statement.bytes(column)))
        default: return .null
        }
    }

    func close() {
        connection.close()
        if let temporaryFolder { try? FileManager.default.removeItem(atPath: temporaryFolder) }
        temporaryFolder = nil
    }
}
#endif
