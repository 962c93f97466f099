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

    let model: ObjectModel
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
    var repairs: Int { entries.count(where: \.isRepaired) }
    /// The number of findings that the plan doesn't repair.
    var unrepairedCount: Int { entries.count - repairs }

    /// The hash of the plan's findings and changes, for the option `--plan`.
    ///
    /// It doesn't depend on the wording of the findings and repairs, so that a reviewed plan stays valid.
    var digest: String {
        let lines = [["2", model.fingerprint]] + entries.map(\.digestLine) + changeLines
        return String(
            SHA256.hexDigest(of: lines.map { $0.joined(separator: "\t") + "\n" }.joined()).prefix(16))
    }

    /// The changes to rows, links and external values, for the digest.
    private var changeLines: [[String]] {
        var lines: [[String]] = []
        for (row, targets) in references {
            lines += targets.map { ["reference", row.digestText, "\($0)", $1.map { "\($0)" } ?? ""] }
        }
        for (row, columns) in cleared { lines += columns.map { ["clear", row.digestText, "\($0)"] } }
        for (row, columns) in rewritten { lines += columns.map { ["rewrite", row.digestText, "\($0)"] } }
        for change in links {
            for (action, links) in [("place", change.placed), ("remove", change.removed)] {
                lines += links.map { link in
                    [action] + [change.entityIndex, change.slot].map { "\($0)" }
                        + [link.owner, link.target, link.position].map { "\($0)" }
                }
            }
        }
        lines += defects.map { defect in
            ["external", "\(defect.kind.rawValue)", "\(defect.entityIndex):\(defect.key)", "\(defect.slot)"]
        }
        return lines.sorted { $0.lexicographicallyPrecedes($1) }
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
            rows.append([
                .string(entry.finding.kind.rawValue), entry.finding.object.map { .string($0) } ?? .none,
                entry.finding.property.map { .string($0) } ?? .none, .string(entry.finding.message),
                .string(entry.repair.text), .flag(entry.isRepaired),
            ])
        }
        return rows
    }
}

extension RepairPlan.Entry {
    fileprivate var isRepaired: Bool { if case .done = repair { true } else { false } }

    fileprivate var digestLine: [String] {
        [finding.kind.rawValue, finding.object ?? "", finding.property ?? "", "\(isRepaired)"]
    }
}

extension RowLocation {
    fileprivate var digestText: String { "\(entityIndex):\(key)" }
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
    func changes(_ session: any ReadSession) throws -> ChangeSet {
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
                    changes.updates.append(try update(rows, columns, entityIndex))
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
        _ rows: RowBatch, _ columns: Set<Int>, _ entityIndex: Int
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
