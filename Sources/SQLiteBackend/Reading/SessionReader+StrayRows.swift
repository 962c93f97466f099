#if SQLite
import ContextCore
import SQLStore

extension SessionReader {
    func strayLinks(limit: Int) throws(StoreError) -> [StrayLink] {
        try StrayRowSearch(store.mapping, .sqlite).links(limit: limit, integers)
    }

    func externalFaults(limit: Int) throws(StoreError) -> [ExternalFault] {
        try StrayRowSearch(store.mapping, .sqlite).externalFaults(limit: limit, integers)
    }

    private func integers(_ text: SQLText, columns: Int) throws(StoreError) -> [[Int64]] {
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        var rows: [[Int64]] = []
        while try statement.step() { rows.append((0..<columns).map { statement.integer(Int32($0)) }) }
        return rows
    }
}

extension SQLiteReadSession: StrayRowSession {
    func strayLinks(limit: Int) throws -> [StrayLink] { try open().strayLinks(limit: limit) }

    func externalFaults(limit: Int) throws -> [ExternalFault] { try open().externalFaults(limit: limit) }
}

extension SQLiteWriteSession: StrayRowWriteSession {
    func strayLinks(limit: Int) throws -> [StrayLink] { try reader().strayLinks(limit: limit) }

    func externalFaults(limit: Int) throws -> [ExternalFault] { try reader().externalFaults(limit: limit) }

    func resolve(_ faults: [ExternalFault]) throws {
        let reader = try reader()
        for text in StrayRowSearch(reader.store.mapping, .sqlite).resolution(of: faults) {
            try reader.connection.execute(text.sql)
        }
    }
}
#endif
