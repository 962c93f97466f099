import ContextCore

/// The tables of a Core Data store, and the numbers of its entities.
struct CoreDataSchema: Sendable, Equatable {
    /// An entity in the table `Z_PRIMARYKEY`.
    struct Entity: Sendable, Equatable {
        /// The number in the column `Z_ENT` of its rows.
        let number: Int64
        let name: String
        /// The number of its superentity; 0 if it has none.
        let superentity: Int64
        /// The greatest key that Core Data has assigned in its inheritance tree.
        let maxKey: Int64
    }

    /// The columns of each table whose name begins with `Z`, in their order.
    var tables: [String: [String]] = [:]
    var entities: [Entity] = []

    func entity(named name: String) -> Entity? { entities.first { $0.name == name } }
}

extension CoreDataSchema {
    /// The least number of the entities that Core Data uses itself, for the persistent history and for CloudKit.
    private static let firstInternalNumber: Int64 = 16_000

    /// Reads the schema of a database.
    ///
    /// - Throws: ``AdminError`` if it isn't a Core Data store.
    init(_ reader: any ForeignRowReader, _ file: String) throws {
        self.init()
        let columns = """
            SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_xinfo(m.name) AS c \
            WHERE m.type = 'table' AND m.name LIKE 'Z%' ORDER BY m.name, c.cid
            """
        for row in try reader.rows(columns) {
            guard case .string(let table) = row[0], case .string(let column) = row[1] else { continue }
            tables[table, default: []].append(column)
        }
        let required = [
            "Z_PRIMARYKEY": ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], "Z_METADATA": ["Z_UUID", "Z_PLIST"],
        ]
        guard required.allSatisfy({ Set($0.value).isSubset(of: tables[$0.key] ?? []) }) else {
            throw AdminError.badData(
                "\(file) is not a store of Core Data or SwiftData.",
                hint: "Name the SQLite file of the store. 'storectl model import' reads other databases.")
        }
        for row in try reader.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
            guard case .int(let number) = row[0], case .string(let name) = row[1],
                number > 0, number < Self.firstInternalNumber
            else { continue }
            entities.append(
                Entity(
                    number: number, name: name, superentity: row[2].integer ?? 0, maxKey: row[3].integer ?? 0)
            )
        }
    }
}

extension StoredValue {
    /// The number, if the value is an integer.
    var integer: Int64? { if case .int(let number) = self { number } else { nil } }
}
