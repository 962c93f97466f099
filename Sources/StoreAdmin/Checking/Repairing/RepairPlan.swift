import ContextCore

/// The repairs for the findings of a check, as sentences to review and as changes to apply.
struct RepairPlan {
    /// A finding and its repair.
    struct Entry {
        let finding: StoreFinding
        let repair: Repair
    }

    /// Whether and how the plan repairs a finding.
    enum Repair: Equatable {
        /// The plan repairs the finding; the sentence says how.
        case done(String)
        /// The plan doesn't repair the finding, and the sentence says what the user has to do.
        case none(String)
    }

    var entries: [Entry] = []
    /// The references that change, by row and column; nil clears a reference.
    var references: [RowLocation: [Int: Int64?]] = [:]
    /// The columns that are set to null, by row.
    var cleared: [RowLocation: Set<Int>] = [:]
    /// The columns that are saved again with their current values, by row.
    var rewritten: [RowLocation: Set<Int>] = [:]
    /// The derived values that are set, by row and column.
    var derived: [RowLocation: [Int: StoredValue]] = [:]
    var links: [ChangeSet.LinkChange] = []
    /// The external values that are repaired in their own table, without changing an object.
    var defects: [ExternalValueMismatch] = []

    /// The number of findings that the plan repairs.
    var repairs: Int { entries.count { if case .done = $0.repair { true } else { false } } }
    /// The number of findings that the plan doesn't repair.
    var unrepairedCount: Int { entries.count - repairs }

    /// The hash of the plan's findings and repairs, for the option `--plan`.
    var digest: String {
        let lines = entries.map { entry in
            let finding = entry.finding
            return [
                finding.kind.rawValue, finding.object ?? "", finding.property ?? "", finding.message,
                entry.repair.text,
            ].joined(separator: "\t") + "\n"
        }
        return String(SHA256.hexDigest(of: lines.joined()).prefix(16))
    }

    /// The plan as a table.
    var rows: RowSet {
        var rows = RowSet(
            [
                .init("kind"), .init("object"), .init("property"), .init("finding"), .init("repair"),
                .init("repairable"),
            ],
            emptyText: "no problems found")
        for entry in entries {
            let isDone = if case .done = entry.repair { true } else { false }
            rows.append([
                .string(entry.finding.kind.rawValue), entry.finding.object.map { .string($0) } ?? .none,
                entry.finding.property.map { .string($0) } ?? .none, .string(entry.finding.message),
                .string(entry.repair.text), .flag(isDone),
            ])
        }
        return rows
    }
}

extension RepairPlan.Repair {
    var text: String {
        switch self {
        case .done(let text), .none(let text): text
        }
    }
}

extension RepairPlan {
    /// Returns the changes as one change set, based on the rows of a session's snapshot.
    func changes(_ session: any ReadSession, _ model: ObjectModel) throws -> ChangeSet {
        var changes = ChangeSet(author: "storectl check")
        var locations: [Set<Int>: [RowLocation]] = [:]
        let rows = Set(references.keys).union(cleared.keys).union(rewritten.keys).union(derived.keys)
        for location in rows.sorted() {
            let columns = Set((references[location] ?? [:]).keys).union(cleared[location] ?? [])
                .union(rewritten[location] ?? []).union((derived[location] ?? [:]).keys)
            locations[columns, default: []].append(location)
        }
        for (columns, locations) in locations.sorted(by: { $0.key.sorted().precedes($1.key.sorted()) }) {
            for (entityIndex, locations) in Dictionary(grouping: locations, by: \.entityIndex).sorted(by: {
                $0.key < $1.key
            }) {
                let keys = locations.map(\.key)
                try session.forEachBatch(of: keys, entityIndex: entityIndex) { _, rows in
                    changes.updates.append(try update(rows, columns, entityIndex, model))
                }
            }
        }
        changes.updates.removeAll { $0.baseVersions.isEmpty }
        changes.links = groupedLinks
        return changes
    }

    /// The link changes, merged into one per relationship.
    private var groupedLinks: [ChangeSet.LinkChange] {
        var groups: [[Int]: ChangeSet.LinkChange] = [:]
        for change in links {
            groups[
                [change.entityIndex, change.slot],
                default: .init(entityIndex: change.entityIndex, slot: change.slot)
            ].append(change)
        }
        return groups.sorted { $0.key.precedes($1.key) }.map(\.value)
    }

    private func update(
        _ rows: RowBatch, _ columns: Set<Int>, _ entityIndex: Int, _ model: ObjectModel
    ) throws -> ChangeSet.Update {
        var builder = RowBatchBuilder(model: model)
        var versions: [Int64] = []
        for row in 0..<rows.count where rows.entityIndex(at: row) == entityIndex {
            let location = RowLocation(entityIndex: entityIndex, key: rows.key(at: row))
            builder.append(row, of: rows, version: rows.version(at: row) &+ 1)
            versions.append(rows.version(at: row))
            for (column, target) in references[location] ?? [:] {
                builder.set(column, to: target.map(StoredValue.int) ?? .null)
            }
            for column in cleared[location] ?? [] { builder.setNull(column) }
            for (column, value) in derived[location] ?? [:] { builder.set(column, to: value) }
        }
        return ChangeSet.Update(
            entityIndex: entityIndex, columns: columns.sorted(), rows: try builder.finish(),
            baseVersions: versions)
    }
}

extension ChangeSet.LinkChange {
    fileprivate mutating func append(_ other: ChangeSet.LinkChange) {
        placed += other.placed
        removed += other.removed
    }
}

extension [Int] {
    fileprivate func precedes(_ other: [Int]) -> Bool { lexicographicallyPrecedes(other) }
}
