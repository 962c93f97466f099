import ContextCore

/// How others are kept from a table, the weakest first, in the words of a database that locks tables.
enum TableLock: String, Comparable {
    /// Others read and write; no table is altered meanwhile.
    case rowExclusive = "ROW EXCLUSIVE"
    /// Others read and write; nothing else is altered, made clean or indexed meanwhile.
    case shareUpdateExclusive = "SHARE UPDATE EXCLUSIVE"
    /// Others read.
    case shareRowExclusive = "SHARE ROW EXCLUSIVE"
    /// Others wait.
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

/// Gathers what a step means for tables: of each the strongest lock on it, and the most that becomes of its rows.
struct EffectGathering {
    private var effects: [String: (lock: TableLock?, work: TableEffect.Work)] = [:]

    mutating func note(_ table: String, _ lock: TableLock?, _ work: TableEffect.Work = .none) {
        let known = effects[table] ?? (nil, .none)
        effects[table] = ([known.lock, lock].compactMap(\.self).max(), max(known.work, work))
    }

    /// In order of the tables' names; what the store keeps for itself comes last.
    var list: [TableEffect] {
        let names = effects.keys.sortedByBytes { $0 }
        let own = names.filter { $0.hasPrefix("_") }
        return (names.filter { !$0.hasPrefix("_") } + own).map { name in
            TableEffect(
                table: name, lock: effects[name]?.lock?.rawValue, work: effects[name]?.work ?? .none)
        }
    }
}
