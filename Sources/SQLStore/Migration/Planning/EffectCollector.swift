import ContextCore

/// A lock on a table, weakest first, by its name in PostgreSQL.
enum TableLock: String, Comparable {
    /// Allows other transactions to read and write, and blocks changes of the table's definition.
    case rowExclusive = "ROW EXCLUSIVE"
    /// Allows other transactions to read and write, and blocks DDL, VACUUM and index builds.
    case shareUpdateExclusive = "SHARE UPDATE EXCLUSIVE"
    /// Allows other transactions to read.
    case shareRowExclusive = "SHARE ROW EXCLUSIVE"
    /// Blocks all other transactions.
    case accessExclusive = "ACCESS EXCLUSIVE"

    private var strength: Int {
        switch self {
        case .rowExclusive: 0
        case .shareUpdateExclusive: 1
        case .shareRowExclusive: 2
        case .accessExclusive: 3
        }
    }

    static func < (left: TableLock, right: TableLock) -> Bool { left.strength < right.strength }
}

/// Collects the effects of a step: for each table the strongest lock and the most extensive work on its rows.
struct EffectCollector {
    private var effects: [String: (lock: TableLock?, work: TableEffect.Work)] = [:]

    mutating func record(_ table: String, _ lock: TableLock?, _ work: TableEffect.Work = .none) {
        let known = effects[table] ?? (nil, .none)
        effects[table] = ([known.lock, lock].compactMap(\.self).max(), max(known.work, work))
    }

    /// The effects, sorted by table name; the store's own tables come last.
    var list: [TableEffect] {
        let names = effects.keys.sortedByBytes { $0 }
        let own = names.filter { $0.hasPrefix("_") }
        return (names.filter { !$0.hasPrefix("_") } + own).map { name in
            TableEffect(
                table: name, lock: effects[name]?.lock?.rawValue, work: effects[name]?.work ?? .none)
        }
    }
}
