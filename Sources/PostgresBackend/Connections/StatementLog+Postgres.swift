#if Postgres
import CPostgres
import ContextCore
import Foundation

extension StatementLog {
    /// Reports a statement that has finished, without a result if it failed.
    ///
    /// It formats the values only for statements that reach the log's threshold.
    func report(
        _ sql: String, _ parameters: PostgresParameters?, _ answer: PostgresResult?,
        since start: ContinuousClock.Instant, _ configuration: PostgresConfiguration
    ) {
        let rows = answer.map(\.returnedRows) ?? 0
        report(start.duration(to: .now), rows: rows, in: configuration.databaseName) { includesValues in
            includesValues ? sql + (parameters?.comment ?? "") : sql
        }
    }
}

extension PostgresResult {
    /// The number of returned rows, including those of a COPY, which are not part of the result.
    fileprivate var returnedRows: Int {
        if width > 0 { return count }
        return command.hasPrefix("COPY ") ? changedRows : 0
    }
}

extension PostgresParameters {
    /// The values as a comment after the statement: ` -- $1 = 5, $2 = 'Go'`.
    var comment: String {
        let values = types.indices.map { "$\($0 + 1) = \(text(of: $0))" }
        return values.isEmpty ? "" : " -- " + values.joined(separator: ", ")
    }

    private func text(of index: Int) -> String {
        let start = starts[index]
        if start < 0 { return "NULL" }
        return bytes[start..<start + Int(lengths[index])].withUnsafeBytes { value in
            if let type = Self.all.first(where: { $0.arrayOID == types[index] }) {
                return "{" + Self.elements(value).map { Self.text($0, type) }.joined(separator: ", ") + "}"
            }
            return Self.text(value, Self.all.first { $0.oid == types[index] } ?? .bytes)
        }
    }

    private static let all: [PostgresType] = [
        .bool, .integer, .double, .numeric, .text, .bytes, .timestamp, .uuid, .json,
    ]

    /// Returns the bytes of an array's elements; nil for null.
    private static func elements(_ array: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer?] {
        // The header has the number of dimensions, a flag, the type, the number of elements and the lower bound.
        guard array.count >= 20 else { return [] }
        var place = 20
        return (0..<Int(array.bigEndian(Int32.self, at: 12))).map { _ in
            let length = Int(array.bigEndian(Int32.self, at: place))
            place += 4
            if length < 0 { return nil }
            defer { place += length }
            return UnsafeRawBufferPointer(rebasing: array[place..<place + length])
        }
    }

    private static func text(_ value: UnsafeRawBufferPointer?, _ type: PostgresType) -> String {
        guard let value else { return "NULL" }
        switch type {
        case .bool: return value.first == 0 ? "false" : "true"
        case .integer: return String(PostgresBytes.integer(value))
        case .double: return String(PostgresBytes.double(value))
        case .numeric: return PostgresNumeric.read(value)?.description ?? "NaN"
        case .text: return quoted(value)
        case .json: return quoted(PostgresBytes.json(value))
        case .bytes: return "'\\x" + value.map { String(256 + Int($0), radix: 16).dropFirst() }.joined() + "'"
        case .timestamp:
            let microseconds = PostgresTimestamp.decoded(PostgresBytes.integer(value))
            return "'\(CivilTime(microseconds: microseconds).text)'"
        case .uuid: return "'\(value.loadUnaligned(as: UUID.self).uuidString)'"
        }
    }

    private static func quoted(_ bytes: UnsafeRawBufferPointer) -> String {
        "'" + String(decoding: bytes, as: UTF8.self).replacing("'", with: "''") + "'"
    }
}
#endif
