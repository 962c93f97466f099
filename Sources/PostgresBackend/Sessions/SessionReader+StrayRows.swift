#if Postgres
import ContextCore
import SQLStore

extension PostgresReadSession: OrphanRowSession {
    func orphanLinks(limit: Int) throws -> [OrphanLink] { try read { try $0.orphanLinks(limit: limit) } }

    func externalValueMismatches(limit: Int) throws -> [ExternalValueMismatch] {
        try read { try $0.externalValueMismatches(limit: limit) }
    }
}

extension PostgresWriteSession: StrayRowWriteSession {
    func orphanLinks(limit: Int) throws -> [OrphanLink] { try read { try $0.orphanLinks(limit: limit) } }

    func externalValueMismatches(limit: Int) throws -> [ExternalValueMismatch] {
        try read { try $0.externalValueMismatches(limit: limit) }
    }

    func resolve(_ faults: [ExternalValueMismatch]) throws {
        let statements = OrphanRowSearch(store.mapping, store.dialect).resolution(of: faults)
        if statements.isEmpty { return }
        let begun = try open()
        try begun.transaction.change { () throws(StoreError) in
            for text in statements { try begun.connection.run(text) }
        }
    }
}
#endif
