import ContextCore
import Foundation

/// A file that people edit to name the entities and properties of an import, and to leave tables and columns out.
struct ImportMapping {
    struct Table {
        let name: String
        /// The name of the entity; nil for the derived one.
        var entity: String?
        /// The name of each column's property; nil for a column that is left out.
        var columns: [(name: String, property: String?)] = []
        /// Whether the import leaves the table out.
        var leavesOut = false

        /// The columns that are left out.
        var omittedColumns: Set<String> { Set(columns.filter { $0.property == nil }.map(\.name)) }

        /// Whether a table of two foreign keys may become links, because nothing makes it an entity.
        var allowsLinks: Bool { entity == nil && omittedColumns.isEmpty }

        /// Returns the name that a column's property gets; nil for the derived one.
        func property(_ column: String) -> String? { columns.first { $0.name == column }?.property }
    }

    private(set) var tables: [Table] = []

    /// Names nothing, and leaves nothing out.
    init() {}

    func table(_ name: String) -> Table { tables.first { $0.name == name } ?? Table(name: name) }

    func leavesOut(_ table: String) -> Bool { self.table(table).leavesOut }

    // MARK: Writing

    /// Describes the names that an import derives.
    init(describing imported: ModelImport) {
        tables = imported.tables.map { table in
            let columns = table.structure.columns.filter {
                !table.keepsKey($0.name) || table.properties[$0.name] != nil
            }
            return Table(
                name: table.structure.name, entity: table.entity,
                columns: columns.map { ($0.name, table.properties[$0.name]) })
        }
        tables += imported.links.map { links in
            // The property of a column refers to the table that the column references.
            let referring = links.structure.references.map { $0.columns[0] }
            let properties = [referring[0]: links.second.property, referring[1]: links.first.property]
            return Table(
                name: links.structure.name,
                columns: links.structure.columns.compactMap { column in
                    properties[column.name].map { (column.name, $0) }
                })
        }
        tables.sort { $0.name.precedesByBytes($1.name) }
    }

    /// The text of the file, in which the order of tables and columns is that of the database.
    var fileText: String {
        let entries = tables.map { table -> String in
            var members = [("table", JSONValue.string(table.name).text)]
            if let entity = table.entity { members.append(("entity", JSONValue.string(entity).text)) }
            let columns = table.columns.map { name, property in
                "        \(JSONValue.string(name).text): \(property.map { JSONValue.string($0).text } ?? "null")"
            }
            if !columns.isEmpty {
                members.append(("columns", "{\n\(columns.joined(separator: ",\n"))\n      }"))
            }
            if table.leavesOut { members.append(("leaveOut", "true")) }
            return "    {\n" + members.map { "      \"\($0)\": \($1)" }.joined(separator: ",\n") + "\n    }"
        }
        return "{\n  \"tables\": [\n\(entries.joined(separator: ",\n"))\n  ]\n}\n"
    }

    // MARK: Reading

    /// Reads a file, and checks its names of tables and columns.
    ///
    /// - Parameter path: The name of the file in errors.
    init(_ text: String, path: String, structures: [TableStructure]) throws {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(text)
        } catch {
            throw AdminError.badData("\(path):\(error.position): \(error.message)")
        }
        let problems = JSONProblems()
        if var reader = JSONObjectReader(document.root, as: "a mapping", problems) {
            let known = Dictionary(
                structures.filter(\.hasRows).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            for node in reader.array("tables") {
                guard let table = Self.table(node, known, problems) else { continue }
                if tables.contains(where: { $0.name == table.name }) {
                    problems.report(
                        "The table “\(table.name)” has two entries: remove one.", at: node.position)
                }
                tables.append(table)
            }
            reader.reportUnknownMembers()
        }
        if problems.list.isEmpty { return }
        throw AdminError.badData(
            problems.list.map { "\(path):\($0.position): \($0.message)" }.joined(separator: "\n"))
    }

    private static func table(
        _ node: JSONNode, _ known: [String: TableStructure], _ problems: JSONProblems
    ) -> Table? {
        guard var reader = JSONObjectReader(node, as: "a table", problems) else { return nil }
        reader.requireMember("table")
        let name = reader.string("table")
        let entity = reader.string("entity")
        let columns = reader.object("columns")
        let leavesOut = reader.flag("leaveOut")
        reader.reportUnknownMembers()
        guard let name else { return nil }
        guard let structure = known[name] else {
            problems.report(
                "The database has no table “\(name)”\(hint(name, known.keys.sorted()))", at: node.position)
            return nil
        }
        var table = Table(name: name, entity: entity, leavesOut: leavesOut)
        if let entity, !isIdentifier(entity) { problems.report(invalidName(entity), at: node.position) }
        let names = structure.columns.map(\.name)
        for column in columns {
            if !names.contains(column.name) {
                problems.report(
                    "The table “\(name)” has no column “\(column.name)”\(hint(column.name, names))",
                    at: column.position)
            }
            switch column.value.content {
            case .null: table.columns.append((column.name, nil))
            case .string(let property):
                if !isIdentifier(property) { problems.report(invalidName(property), at: column.position) }
                table.columns.append((column.name, property))
            default:
                problems.report(
                    "A column is mapped to the name of a property, or to null to leave it out.",
                    at: column.position)
            }
        }
        return table
    }

    private static func hint(_ name: String, _ known: [String]) -> String {
        Spelling.nearest(to: name, among: known).map { ": did you mean “\($0)”?" } ?? ": remove it."
    }

    private static func isIdentifier(_ name: String) -> Bool {
        name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    private static func invalidName(_ name: String) -> String {
        "“\(name)” is no name of an entity or a property: use letters, digits and underscores, and begin with a letter."
    }
}
