#if SQLite
import ContextCore
import SQLStore

extension SessionReader {
    func orphanLinks(limit: Int) throws(StoreError) -> [OrphanLink] {
        try OrphanRowSearch(store.mapping, .sqlite).links(limit: limit, integers)
    }

    func externalValueMismatches(limit: Int) throws(StoreError) -> [ExternalValueMismatch] {
        try OrphanRowSearch(store.mapping, .sqlite).externalValueMismatches(limit: limit, integers)
    }

    private func integers(_ text: SQLText, columns: Int) throws(StoreError) -> [[Int64]] {
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        var rows: [[Int64]] = []
        while try statement.step() { rows.append((0..<columns).map { statement.integer(Int32($0)) }) }
        return rows
    }
}

extension SQLiteReadSession: OrphanRowSession {
    func orphanLinks(limit: Int) throws -> [OrphanLink] { try open().orphanLinks(limit: limit) }

    func externalValueMismatches(limit: Int) throws -> [ExternalValueMismatch] {
        try open().externalValueMismatches(limit: limit)
    }
}

extension SQLiteWriteSession: StrayRowWriteSession {
    func orphanLinks(limit: Int) throws -> [OrphanLink] { try reader().orphanLinks(limit: limit) }

    func externalValueMismatches(limit: Int) throws -> [ExternalValueMismatch] {
        try reader().externalValueMismatches(limit: limit)
    }

    func resolve(_ faults: [ExternalValueMismatch]) throws {
        let reader = try reader()
        for text in OrphanRowSearch(reader.store.mapping, .sqlite).resolution(of: faults) {
            try reader.connection.execute(text.sql)
        }
    }
}
#endif
