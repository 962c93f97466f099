import ContextCore
import Foundation

/// A CSV or JSON Lines file, which is read in pieces.
struct RowFile {
    enum Format: String, CaseIterable, Sendable {
        case csv, tsv, jsonl

        /// Returns the format that a file's name ends with.
        init?(path: String) {
            switch (path as NSString).pathExtension.lowercased() {
            case "csv": self = .csv
            case "tsv", "tab": self = .tsv
            case "jsonl", "ndjson": self = .jsonl
            default: return nil
            }
        }
    }

    /// What the file contains, in its order.
    enum Item {
        /// The names of the columns, with their targets: at the beginning of a CSV file, and at the end of a JSON Lines file.
        case columns([(name: String, target: ImportTarget?)])
        case row(ImportedRow)
        case rejected(RejectedRow)
    }

    /// The name of the file in messages.
    let name: String
    let format: Format
    /// The character between the fields of a CSV file.
    let delimiter: UInt8
    let encoding: TextEncoding?
    let entity: EntityLayout
    let targets: ImportTargets
    let values: ImportValueReader

    /// The number of bytes to read at once.
    private static let pieceSize = 1 << 16

    /// Reads the file, and passes on what it contains.
    ///
    /// - Throws: ``AdminError`` for invalid bytes, unknown columns, and a record that can't be parsed, since the rest of the file then may
    ///   mean anything.
    func read(_ handle: FileHandle, _ body: (Item) throws -> Void) throws {
        var converter = UTF8Converter(encoding)
        var parser = Parser(file: self)
        do {
            while let piece = try handle.read(upToCount: Self.pieceSize), !piece.isEmpty {
                try parser.parse(converter.convert(Array(piece)), body)
            }
            try parser.parse(converter.finish(), body)
            try parser.finish(body)
        } catch let failure as UTF8Converter.Failure {
            throw AdminError.badData(
                "\(name): the file is not \(failure.encoding.rawValue): byte \(failure.offset) is invalid.",
                hint:
                    "Name its encoding with --encoding: \(TextEncoding.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        } catch let failure as CSVReader.Failure {
            throw AdminError.badData(
                "\(name):\(failure.line): the record \(failure.reason.text).",
                hint: "Put fields that contain quotation marks in quotation marks, and double those inside.")
        }
    }

    /// The state of reading the file.
    private struct Parser {
        private let file: RowFile
        private var csv: CSVReader
        private var records: RecordRows?
        private var lines = LineSplitter()
        private var json: JSONLineRows

        init(file: RowFile) {
            self.file = file
            csv = CSVReader(delimiter: file.delimiter)
            json = JSONLineRows(file.entity, file.targets, file.values)
        }

        mutating func parse(_ bytes: [UInt8], _ body: (Item) throws -> Void) throws {
            guard file.format == .jsonl else {
                var found: [CSVReader.Record] = []
                try csv.read(bytes) { found.append($0) }
                for record in found { try handle(record, body) }
                return
            }
            for line in try lines.split(bytes, file.name) { try handle(line, body) }
        }

        mutating func finish(_ body: (Item) throws -> Void) throws {
            guard file.format == .jsonl else {
                var last: CSVReader.Record?
                try csv.finish { last = $0 }
                if let last { try handle(last, body) }
                if records == nil {
                    throw AdminError.badData(
                        "\(file.name): the file is empty.", hint: "Its first line must name the columns.")
                }
                return
            }
            if let line = lines.finish() { try handle(line, body) }
            try body(.columns(json.targets))
        }

        private mutating func handle(_ record: CSVReader.Record, _ body: (Item) throws -> Void) throws {
            guard let records else {
                let first = try RecordRows(header: record, file.targets, file.values)
                records = first
                return try body(.columns(zip(first.header, first.targets).map { (name: $0, target: $1) }))
            }
            let row: ImportedRow
            do throws(RejectedRow) {
                row = try records.row(record)
            } catch {
                return try body(.rejected(error))
            }
            try body(.row(row))
        }

        private mutating func handle(
            _ line: (number: Int, text: String), _ body: (Item) throws -> Void
        ) throws {
            let row: ImportedRow
            do {
                row = try json.row(line.text, line: line.number)
            } catch let error as RejectedRow {
                return try body(.rejected(error))
            }
            try body(.row(row))
        }
    }
}

/// Splits UTF-8 into lines that are not blank.
struct LineSplitter {
    /// The maximum number of bytes of a line.
    static let limit = 16 << 20

    private var pending: [UInt8] = []
    private var number = 0

    /// Returns the lines that end in a piece of the file.
    mutating func split(_ bytes: [UInt8], _ name: String) throws(AdminError) -> [(number: Int, text: String)]
    {
        var lines: [(number: Int, text: String)] = []
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            pending += part
            if let line = endLine() { lines.append(line) }
        }
        let start = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        pending += bytes[start...]
        guard pending.count <= Self.limit else {
            throw .badData("\(name):\(number + 1): the line has more than \(Self.limit) bytes.")
        }
        return lines
    }

    /// Returns the last line, if no line end follows it.
    mutating func finish() -> (number: Int, text: String)? { pending.isEmpty ? nil : endLine() }

    private mutating func endLine() -> (number: Int, text: String)? {
        number += 1
        defer { pending.removeAll(keepingCapacity: true) }
        let text = String(decoding: pending, as: UTF8.self)
        return text.allSatisfy(\.isWhitespace) ? nil : (number, text)
    }
}
