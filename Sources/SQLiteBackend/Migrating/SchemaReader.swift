#if SQLite
import ContextCore
import SQLStore

/// Reads the definitions of a file's tables from SQLite's PRAGMAs.
///
/// The CREATE statements can't be compared: an added column has another position there, and keeps the default with which it was added.
struct SchemaReader {
    let connection: SQLiteConnection

    func schema() throws(StoreError) -> PhysicalSchema {
        let tables = try connection.texts(Self.tables, columns: 2)
        let columns = try connection.texts(Self.columns, columns: 3)
        var constraints = tables
        for query in [Self.keys, Self.references, Self.constraints] {
            constraints += try connection.texts(query, columns: 2)
        }
        return PhysicalSchema(
            tables.map { $0[0] }, columns: columns, constraints: constraints,
            indexes: try connection.texts(Self.indexes, columns: 3))
    }

    /// The options of a table and its number of deferred foreign keys, which SQLite reports nowhere but in its CREATE statement.
    private static let tables = """
        SELECT s.name, 'strict ' || l.strict || ', without rowid ' || l.wr || ', deferred references ' \
        || (length(s.sql) - length(replace(s.sql, 'DEFERRABLE INITIALLY DEFERRED', ''))) / length('DEFERRABLE INITIALLY DEFERRED') \
        FROM sqlite_schema AS s JOIN pragma_table_list(s.name) AS l ON l.schema = 'main' \
        WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """

    private static let columns = """
        SELECT s.name, c.name, c.type || CASE WHEN c."notnull" OR c.pk THEN ' NOT NULL' ELSE '' END \
        FROM sqlite_schema AS s JOIN pragma_table_xinfo(s.name) AS c WHERE s.type = 'table'
        """

    private static let keys = """
        SELECT name, 'PRIMARY KEY (' || group_concat("column", ', ') || ')' FROM \
        (SELECT s.name AS name, c.name AS "column" FROM sqlite_schema AS s JOIN pragma_table_xinfo(s.name) AS c \
        WHERE s.type = 'table' AND c.pk > 0 ORDER BY s.name, c.pk) GROUP BY name
        """

    private static let references = """
        SELECT s.name, 'FOREIGN KEY (' || group_concat(f."from", ', ') || ') REFERENCES ' || f."table" || ' (' \
        || group_concat(coalesce(f."to", ''), ', ') || ') ON DELETE ' || f.on_delete || ' ON UPDATE ' || f.on_update \
        FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name) AS f WHERE s.type = 'table' GROUP BY s.name, f.id
        """

    private static let constraints = """
        SELECT s.name, 'UNIQUE ' || (SELECT group_concat(name, ', ') FROM pragma_index_info(i.name)) \
        FROM sqlite_schema AS s JOIN pragma_index_list(s.name) AS i WHERE s.type = 'table' AND i.origin = 'u'
        """

    private static let indexes = """
        SELECT s.tbl_name, s.name, CASE WHEN s.sql LIKE 'CREATE UNIQUE %' THEN 'UNIQUE ' ELSE '' END || '(' \
        || (SELECT group_concat(coalesce(x.name, 'an expression') || CASE WHEN x."desc" THEN ' DESC' ELSE '' END \
        || ' COLLATE ' || x.coll, ', ') FROM pragma_index_xinfo(s.name) AS x WHERE x.key) || ')' \
        || CASE WHEN instr(s.sql, ') WHERE ') THEN substr(s.sql, instr(s.sql, ') WHERE ') + 1) ELSE '' END \
        FROM sqlite_schema AS s WHERE s.type = 'index' AND s.sql IS NOT NULL
        """
}
#endif
