#if SQLite
import ContextCore
import SQLStore

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
        for text in OrphanRowSearch(reader.mapping, .sqlite).resolution(of: faults) {
            try reader.connection.execute(text.sql)
        }
    }
}
#endif
