#if Postgres
import ContextCore
import SQLStore

extension SessionReader {
    func strayLinks(limit: Int) throws(StoreError) -> [StrayLink] {
        try StrayRowSearch(store.mapping, store.dialect).links(limit: limit, integers)
    }

    func externalFaults(limit: Int) throws(StoreError) -> [ExternalFault] {
        try StrayRowSearch(store.mapping, store.dialect).externalFaults(limit: limit, integers)
    }

    private func integers(_ text: SQLText, columns: Int) throws(StoreError) -> [[Int64]] {
        let result = try connection.run(text)
        return (0..<result.count).map { row in (0..<columns).map { result.integer(row, $0) } }
    }
}

extension PostgresReadSession: StrayRowSession {
    func strayLinks(limit: Int) throws -> [StrayLink] { try read { try $0.strayLinks(limit: limit) } }

    func externalFaults(limit: Int) throws -> [ExternalFault] {
        try read { try $0.externalFaults(limit: limit) }
    }
}

extension PostgresWriteSession: StrayRowWriteSession {
    func strayLinks(limit: Int) throws -> [StrayLink] { try read { try $0.strayLinks(limit: limit) } }

    func externalFaults(limit: Int) throws -> [ExternalFault] {
        try read { try $0.externalFaults(limit: limit) }
    }

    func resolve(_ faults: [ExternalFault]) throws {
        let statements = StrayRowSearch(store.mapping, store.dialect).resolution(of: faults)
        if statements.isEmpty { return }
        let begun = try open()
        try begun.transaction.change { () throws(StoreError) in
            for text in statements { try begun.connection.run(text) }
        }
    }
}
#endif
