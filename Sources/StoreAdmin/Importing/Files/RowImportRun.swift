import ContextCore
import Foundation

/// The work of `data import` for a CSV or JSON Lines file.
struct RowImportRun {
    /// The number of rows after which an import that rejects rows commits.
    fileprivate static let rowsPerCommit = 10_000
    /// The number of rejected rows to print.
    fileprivate static let printedRejects = 20

    private let call: CommandCall
    private let file: RowFile
    private let entity: EntityLayout
    private let model: ObjectModel
    private let key: UniqueColumns?

    init(_ call: CommandCall, _ model: ObjectModel, entityName: String) throws {
        let (entity, arguments) = (try model.entity(entityName), call.arguments)
        if entity.isAbstract {
            throw AdminError.usage("\(entity.name) is abstract.", hint: "Name one of its subentities.")
        }
        self.call = call
        self.model = model
        self.entity = entity
        key = try arguments.list("key").map { try Self.constraint($0, entity) }
        let path = arguments.operands[0]
        let format =
            arguments["format"].flatMap { RowFile.Format(rawValue: $0) } ?? RowFile.Format(path: path)
        guard let format else {
            throw AdminError.usage(
                "the file's name doesn't have the ending of a format.",
                hint: "Add --format \(RowFile.Format.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        file = RowFile(
            name: path == "-" ? "standard input" : path, format: format,
            delimiter: try Self.delimiter(arguments["delimiter"], format),
            encoding: arguments["encoding"].flatMap { TextEncoding(rawValue: $0) }, entity: entity,
            targets: ImportTargets(entity, in: model, map: try Self.map(arguments.values["map"] ?? [])),
            values: ImportValueReader(
                datePattern: try arguments["date-format"].map { text throws(AdminError) in
                    try DatePattern(text)
                },
                nullTexts: Set(arguments.values["null"] ?? [""])))
    }

    private static func constraint(_ names: [String], _ entity: EntityLayout) throws -> UniqueColumns {
        let matching = entity.uniqueConstraints.filter { Set($0.names) == Set(names) }
        if let constraint = matching.first(where: { $0.entityIndex == entity.index }) ?? matching.first {
            return constraint
        }
        let all = entity.uniqueConstraints.map { $0.names.joined(separator: ",") }
        throw AdminError.usage(
            "\(entity.name) has no unique constraint over \(names.joined(separator: ", ")).",
            hint: all.isEmpty
                ? "Only unique attributes can identify the objects to update."
                : "It has --key \(all.joined(separator: " or --key ")).")
    }

    private static func delimiter(_ text: String?, _ format: RowFile.Format) throws -> UInt8 {
        guard let text else { return UInt8(ascii: format == .tsv ? "\t" : ",") }
        let byte = text == "\\t" ? UInt8(ascii: "\t") : text.utf8.first
        guard let byte, text == "\\t" || text.utf8.count == 1, byte < 0x80,
            ![UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(byte)
        else {
            throw AdminError.usage(
                "--delimiter takes one ASCII character.", hint: "Write a tab as --delimiter '\\t'.")
        }
        return byte
    }

    private static func map(_ texts: [String]) throws -> [String: String] {
        var map: [String: String] = [:]
        for text in texts {
            guard let place = text.lastIndex(of: "=") else {
                throw AdminError.usage(
                    "--map takes a column and a property, not “\(text)”.",
                    hint: "Write it like --map 'E-Mail=email'.")
            }
            map[String(text[..<place])] = String(text[text.index(after: place)...])
        }
        return map
    }

    // MARK: Running

    func run(_ store: AdministeredStore) throws -> Report {
        let isDry = call.arguments.has("dry-run")
        let handle = try openFile()
        var rejects = try Rejects(call, file)
        defer { rejects.close() }
        return try call.stopRequest.withSignalHandlers {
            try store.write(model: model) { coordinator in
                var work = Work(
                    coordinator: coordinator, rows: RowImport(entity, model, RowImport.Options(key: key)),
                    isDry: isDry, commitsParts: rejects.isCollecting && !isDry)
                defer { work.session?.end() }
                let progress = ProgressLine(call.output)
                defer { progress.finish() }
                var columns: [(name: String, target: ImportTarget?)] = []
                var count = 0
                do {
                    try file.read(handle) { item in
                        switch item {
                        case .columns(let found):
                            columns = found
                            printColumns(found)
                            if file.format == .jsonl { break }
                            try checkKey(found)
                            try rejects.writeHeader(found.map { $0.name })
                        case .rejected(let row):
                            count += 1
                            try rejects.add(row)
                        case .row(let row):
                            count += 1
                            try work.add(row, &rejects)
                        }
                        if count % 1000 == 0 {
                            progress.report("importing \(entity.name)", count)
                            try checkInterruption(work)
                        }
                    }
                    try work.finish(&rejects)
                    progress.report("importing \(entity.name)", count)
                } catch {
                    // The rows that the committed parts rejected would otherwise be lost.
                    if work.committed != nil { try? rejects.finish() }
                    throw work.naming(error)
                }
                do { try rejects.finish() } catch { throw work.naming(error) }
                return report(work, rejects, columns, count)
            }
        }
    }

    private func openFile() throws -> FileHandle {
        let path = call.arguments.operands[0]
        if path == "-" { return FileHandle.standardInput }
        guard let handle = FileHandle(forReadingAtPath: call.tool.environment.resolved(path)) else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the file \(path) can't be read.",
                hint: "Check the path, and your permission to read the file.")
        }
        return handle
    }

    /// Throws if a CSV file lacks a column of the key.
    private func checkKey(_ columns: [(name: String, target: ImportTarget?)]) throws {
        let found = Set(columns.compactMap { $0.target?.column })
        guard let missing = key?.columns.first(where: { !found.contains($0) }) else { return }
        throw AdminError.badData(
            "\(file.name): no column belongs to \(entity.name).\(entity.columns[missing].name), which is part of --key."
        )
    }

    /// Prints which column sets which property, before anything is written.
    private func printColumns(_ columns: [(name: String, target: ImportTarget?)]) {
        for (name, target) in columns {
            call.output.info(
                target.map { "\(name) → \(entity.name).\($0.path) (\($0.attribute.type.title))" }
                    ?? "\(name) is left out")
        }
    }

    private func checkInterruption(_ work: Work) throws(AdminError) {
        if !work.commitsParts { return try call.stopRequest.throwIfRequested(of: "the import") }
        try call.stopRequest.throwIfRequested(
            "the import", hint: "Run the command again; with --key, it updates the rows that it has imported."
        )
    }

    private func report(
        _ work: Work, _ rejects: Rejects, _ columns: [(name: String, target: ImportTarget?)], _ count: Int
    ) -> Report {
        let (tally, isDry, rejected) = (work.rows.tally, work.isDry, rejects.count)
        var report = Report(
            "data.import.rows",
            [
                "entity": .string(entity.name), "rows": .int(count), "inserted": .int(tally.inserted),
                "updated": .int(tally.updated), "unchanged": .int(tally.unchanged),
                "rejected": .int(rejected), "written": .bool(!isDry),
                "columns": .array(
                    columns.map { name, target in
                        .object([
                            "column": .string(name),
                            "property": target.map { .string($0.path) } ?? .null,
                            "type": target.map { .string($0.attribute.type.title) } ?? .null,
                        ])
                    }),
            ]
        ) { _ in
            let parts = [
                (tally.inserted, isDry ? "to insert" : "inserted"),
                (tally.updated, isDry ? "to update" : "updated"), (tally.unchanged, "unchanged"),
                (rejected, "rejected"),
            ]
            let details = parts.filter { $0.0 > 0 }.map { "\(Quantity.count($0.0)) \($0.1)" }
            return Quantity.text(count, "row", "rows") + (details.isEmpty ? "" : ": ")
                + details.joined(separator: ", ") + "\n"
        }
        if rejected > 0 { report.exit = .differences }
        return report
    }
}

extension RowImportRun {
    /// The session of an import, and the rows that it writes.
    private struct Work {
        let coordinator: any StoreCoordinator
        var rows: RowImport
        let isDry: Bool
        /// Whether each part of the file is a separate transaction.
        let commitsParts: Bool
        private(set) var session: (any WriteSession)?
        private var rowsInSession = 0
        private var lastLine = 0
        /// The number of rows in the committed parts, and the line of the last one; nil if no part is committed.
        private(set) var committed: (rows: Int, line: Int)?

        init(coordinator: any StoreCoordinator, rows: RowImport, isDry: Bool, commitsParts: Bool) {
            self.coordinator = coordinator
            self.rows = rows
            self.isDry = isDry
            self.commitsParts = commitsParts
        }

        private mutating func open() throws -> any WriteSession {
            if let session { return session }
            let new = try coordinator.openWriteSession(SessionOptions(identifier: "storectl import"))
            session = new
            return new
        }

        mutating func add(_ row: ImportedRow, _ rejects: inout Rejects) throws {
            let session = try open()
            lastLine = row.line
            try rows.add(row, to: session) { try rejects.add($0) }
            rowsInSession += 1
            if commitsParts, rowsInSession >= RowImportRun.rowsPerCommit { try finish(&rejects) }
        }

        /// Writes the last rows, and commits, or rolls back a dry run.
        mutating func finish(_ rejects: inout Rejects) throws {
            guard let session else { return }
            try rows.flush(session) { try rejects.add($0) }
            if isDry {
                session.rollback()
            } else {
                _ = try session.commit()
                let tally = rows.tally
                committed = (tally.inserted + tally.updated + tally.unchanged, lastLine)
            }
            self.session = nil
            rowsInSession = 0
        }

        /// Returns an error that says which rows are imported in spite of it.
        func naming(_ error: any Error) -> any Error {
            guard let committed else { return error }
            var named = AdminError(error)
            named.message +=
                " \(Quantity.text(committed.rows, "row", "rows")) up to line \(committed.line) are imported."
            return named
        }
    }

    /// The rows that can't be imported: they stop the import, or are counted and written to a file.
    private struct Rejects {
        let isCollecting: Bool
        private let call: CommandCall
        private let name: String
        private var file: RejectFile?
        private(set) var count = 0

        init(_ call: CommandCall, _ source: RowFile) throws {
            self.call = call
            name = source.name
            let path = call.arguments["rejects"]
            isCollecting = path != nil || call.arguments["on-error"] == "reject"
            if path != nil, call.arguments["on-error"] == "stop" {
                throw AdminError.usage("--rejects and --on-error stop exclude each other.")
            }
            file = try path.map {
                try RejectFile(
                    call.tool.environment.resolved($0),
                    delimiter: source.delimiter)
            }
        }

        func writeHeader(_ names: [String]) throws { try file?.writeHeader(names) }

        mutating func add(_ row: RejectedRow) throws {
            guard isCollecting else {
                throw AdminError.badData(
                    "\(name):\(row.line): \(row.reason).",
                    hint: "Nothing was imported. Correct the row, or skip such rows with --rejects FILE."
                        + (call.arguments["key"] == nil
                            ? " With --key, a row updates the object that has the same unique values." : ""))
            }
            count += 1
            if count <= RowImportRun.printedRejects {
                call.output.info("\(name):\(row.line): \(row.reason)")
            } else if count == RowImportRun.printedRejects + 1 {
                call.output.info("More rows are rejected; --rejects FILE writes all of them to a file.")
            }
            try file?.append(row)
        }

        /// Completes the file, if there are rejected rows.
        func finish() throws {
            if count > 0 { try file?.finish() }
        }

        func close() { file?.close() }
    }
}
