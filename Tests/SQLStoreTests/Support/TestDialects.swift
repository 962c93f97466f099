import ContextCore

@testable import SQLStore

extension SQLDialect {
    /// A fictitious dialect, so that the code assumes no particular dialect.
    static let odd = SQLDialect(
        quote: "`", placeholder: { "«\($0)»" }, maximumNameLength: 24,
        columnType: { type in
            switch type {
            case .key: "key"
            case .text: "words"
            default: "thing"
            }
        },
        tableSuffix: " ODDLY", linkTableSuffix: " LINKED", deferral: "LATER", same: "SAME AS",
        different: "OTHER THAN", isAmongKeys: { "IN (SELECT value FROM keys_of(\($0)))" },
        listQuery: { list, _ in "SELECT value FROM list_of(\(list))" },
        literal: { value, _ in
            switch value {
            case .int(let number), .timestamp(let number): "#\(number: number)"
            case .string(let text): text == "unwritable" ? nil : "L\(quoted: text)"
            default: nil
            }
        },
        call: { function, arguments in
            switch function.name {
            case .aggregate(.count): arguments.isEmpty ? "tally()" : "tally(\(arguments.joined()))"
            case .aggregate(.sum): "total(\(arguments.joined(by: "; ")))"
            case .text(.contains): "(\(arguments[0]) HOLDS \(arguments[1]))"
            case .written(.coalesce): "either(\(arguments.joined()))"
            default: nil
            }
        })

    /// A dialect with PostgreSQL's placeholders and lists.
    static let numbered = SQLDialect(
        quote: "\"", placeholder: { "$\($0)" }, maximumNameLength: 63, columnType: { _ in "text" },
        tableSuffix: "",
        linkTableSuffix: "", deferral: "DEFERRABLE INITIALLY DEFERRED", same: "IS NOT DISTINCT FROM",
        different: "IS DISTINCT FROM", isAmongKeys: { "= ANY (\($0))" },
        listQuery: { list, _ in "SELECT unnest(\(list))" },
        literal: { _, _ in nil },
        call: { function, arguments in
            switch function.name {
            case .aggregate(.count): arguments.isEmpty ? "count(*)" : "count(\(arguments.joined()))"
            case .aggregate(.sum): "sum(\(arguments[0]) ORDER BY \(arguments.dropFirst().joined()))"
            case .aggregate(.maximum): "max(\(arguments[0]))"
            case .written(.lowercase): "lower(\(arguments[0]))"
            default: nil
            }
        })
}

extension SQLDialect {
    /// A dialect that, like PostgreSQL, binds a value once that a statement uses several times.
    static let postgresLike: SQLDialect = {
        var dialect = numbered
        dialect.sharesParameters = true
        dialect.call = { function, arguments in
            switch function.name {
            case .arithmetic(.add): "plus(\(arguments.joined()))"
            case .aggregate(.count): "count(*)"
            default: nil
            }
        }
        return dialect
    }()
}
