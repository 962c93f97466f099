import ContextCore

/// A part of a store that is whole by itself: some objects of each entity, and all that these lead to.
///
/// Which objects come is told from the seed and their keys alone, so that a sample of a copy, on whatever backend, is the same.
struct StoreSample {
    private static let chunk = 1000

    private let session: any ReadSession
    private let model: ObjectModel
    /// The entity of each object, by inheritance tree and key.
    private var chosen: [Int: [Int64: Int]] = [:]

    /// Chooses the objects.
    ///
    /// - Parameters:
    ///   - entities: Those of which some objects come in any case.
    ///   - rows: How many objects of each of them come at the least, where there are so many.
    init(
        _ session: any ReadSession, _ model: ObjectModel, entities: [EntityLayout], rows: Int, seed: Int
    ) throws {
        self.session = session
        self.model = model
        var wanted: [Int: Set<Int64>] = [:]
        for entity in entities where !entity.isAbstract {
            let order = SampleOrder(seed: seed, entityName: entity.name)
            let keys = try KeyChunks(entity, session, size: 1).all
            wanted[entity.rootIndex, default: []].formUnion(order.first(rows, of: keys))
        }
        try take(wanted)
    }

    /// The keys of an entity's own objects that are in it, in order.
    func keys(of entity: EntityLayout) -> [Int64] {
        (chosen[entity.rootIndex] ?? [:]).filter { $0.value == entity.index }.map(\.key).sorted()
    }

    /// Whether an object is in it.
    func contains(_ key: Int64, rootIndex: Int) -> Bool { chosen[rootIndex]?[key] != nil }

    // MARK: What the objects lead to

    private mutating func take(_ first: [Int: Set<Int64>]) throws {
        var wanted = first
        while let (root, keys) = wanted.popFirst() {
            let new = keys.filter { !contains($0, rootIndex: root) }.sorted()
            for start in stride(from: 0, to: new.count, by: Self.chunk) {
                let batch = try session.rows(
                    Array(new[start..<min(start + Self.chunk, new.count)]), entityIndex: root)
                for row in 0..<batch.count {
                    chosen[root, default: [:]][batch.key(at: row)] = batch.entityIndex(at: row)
                    noteReferences(batch, row, &wanted)
                }
                try noteMembers(batch, &wanted)
            }
        }
    }

    private func noteReferences(_ batch: RowBatch, _ row: Int, _ wanted: inout [Int: Set<Int64>]) {
        for property in model.layouts[batch.entityIndex(at: row)].properties {
            guard let relationship = property.relationship, let column = property.columns.first,
                case .int(let key) = batch.value(column, at: row)
            else { continue }
            note(key, at: relationship.destinationIndex, &wanted)
        }
    }

    /// What must be in relationships to many that may not have fewer.
    private func noteMembers(_ batch: RowBatch, _ wanted: inout [Int: Set<Int64>]) throws {
        let owners = Dictionary(grouping: 0..<batch.count) { batch.entityIndex(at: $0) }
        for (entityIndex, rows) in owners {
            for property in model.layouts[entityIndex].properties {
                guard let relationship = property.relationship, relationship.description.isToMany,
                    let least = relationship.description.minimumCount, least > 0
                else { continue }
                let plan = RelatedPlan(
                    entityIndex: entityIndex, slot: property.slot, owners: rows.map { batch.key(at: $0) },
                    includesRows: false)
                for (_, links) in Dictionary(grouping: try session.related(plan).links, by: \.owner) {
                    for link in links.prefix(least) {
                        note(link.target, at: relationship.destinationIndex, &wanted)
                    }
                }
            }
        }
    }

    private func note(_ key: Int64, at entityIndex: Int, _ wanted: inout [Int: Set<Int64>]) {
        let root = model.layouts[entityIndex].rootIndex
        if !contains(key, rootIndex: root) { wanted[root, default: []].insert(key) }
    }
}

/// Puts keys into an order that looks random, and is the same for the same seed wherever it is worked out.
struct SampleOrder {
    private let start: UInt64

    init(seed: Int, entityName: String) {
        // FNV-1a, so that entities whose objects have the same keys are ordered in different ways.
        start = entityName.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(bitPattern: Int64(seed))) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
    }

    /// The first of some keys.
    func first(_ count: Int, of keys: [Int64]) -> [Int64] {
        let ranked = keys.map { (rank: rank($0), key: $0) }
        return ranked.sorted { $0 < $1 }.prefix(count).map(\.key)
    }

    /// The finish of SplitMix64.
    private func rank(_ key: Int64) -> UInt64 {
        var number = start &+ UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
