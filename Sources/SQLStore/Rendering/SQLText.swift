/// A complete statement: SQL with placeholders, and their values.
package struct SQLText: Hashable, Sendable {
    /// The SQL.
    package var sql: String
    /// The values in the order of their placeholders.
    package var bindings: [SQLBinding]

    /// Creates a statement from rendered SQL.
    package init(_ sql: String, _ bindings: [SQLBinding]) {
        self.sql = sql
        self.bindings = bindings
    }

    /// Renders a fragment in a dialect.
    package init(_ fragment: SQLFragment, _ dialect: SQLDialect) {
        var sql = ""
        var bindings: [SQLBinding] = []
        var places: [SQLBinding: Int] = [:]
        for segment in fragment.segments {
            switch segment {
            case .text(let text): sql += text
            case .identifier(let name): sql += dialect.quoted(name)
            case .stored(let name): sql += dialect.stored(name)
            case .binding(let binding):
                if dialect.sharesParameters, case .value = binding, let place = places[binding] {
                    sql += dialect.placeholder(place)
                    continue
                }
                bindings.append(binding)
                places[binding] = bindings.count
                sql += dialect.placeholder(bindings.count)
            case .quoted(let text): sql += "'\(text.replacing("'", with: "''"))'"
            }
        }
        self.sql = sql
        self.bindings = bindings
    }
}
