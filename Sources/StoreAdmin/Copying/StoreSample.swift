import ContextCore

/// A consistent subset of a store: some objects of each entity, and all objects that they refer to directly or indirectly.
///
/// The selection depends only on the seed and the keys, so that a sample of a copy on another backend has the same objects.
struct StoreSample {
    private let session: any ReadSession
    private let model: ObjectModel
    /// The entity of each object, by inheritance tree and key.
    private var selected: [Int: [Int64: Int]] = [:]

    /// Selects the objects.
    ///
    /// - Parameters:
    ///   - entities: The entities to select objects from.
    ///   - rows: The number of objects to select from each of the entities, if it has as many.
    init(
        _ session: any ReadSession, _ model: ObjectModel, entities: [EntityLayout], rows: Int, seed: Int
    ) throws {
        self.session = session
        self.model = model
        var wanted: [Int: Set<Int64>] = [:]
        for entity in entities where !entity.isAbstract {
            let order = SampleOrder(seed: seed, entityName: entity.name)
            let keys = try KeyChunks(entity, session).all
            wanted[entity.rootIndex, default: []].formUnion(order.first(rows, of: keys))
        }
        try addClosure(of: wanted)
    }

    /// Returns the keys of an entity's own objects in the sample, in ascending order.
    func keys(of entity: EntityLayout) -> [Int64] {
        (selected[entity.rootIndex] ?? [:]).filter { $0.value == entity.index }.map(\.key).sorted()
    }

    /// Whether an object is in the sample.
    func contains(_ key: Int64, rootIndex: Int) -> Bool { selected[rootIndex]?[key] != nil }

    // MARK: Related objects

    private mutating func addClosure(of first: [Int: Set<Int64>]) throws {
        var wanted = first
        while let (root, keys) = wanted.popFirst() {
            let new = keys.filter { !contains($0, rootIndex: root) }.sorted()
            for part in new.chunks(ofCount: KeyChunks.defaultSize) {
                let batch = try session.rows(Array(part), entityIndex: root)
                for row in 0..<batch.count {
                    selected[root, default: [:]][batch.key(at: row)] = batch.entityIndex(at: row)
                    enqueueReferences(batch, row, &wanted)
                }
                try enqueueRequiredMembers(batch, &wanted)
            }
        }
    }

    private func enqueueReferences(_ batch: RowBatch, _ row: Int, _ wanted: inout [Int: Set<Int64>]) {
        for property in model.layouts[batch.entityIndex(at: row)].properties {
            guard let relationship = property.relationship, let column = property.columns.first,
                case .int(let key) = batch.value(column, at: row)
            else { continue }
            enqueue(key, at: relationship.destinationIndex, &wanted)
        }
    }

    /// Adds the first members of to-many relationships that have a minimum count.
    private func enqueueRequiredMembers(_ batch: RowBatch, _ wanted: inout [Int: Set<Int64>]) throws {
        let owners = Dictionary(grouping: 0..<batch.count) { batch.entityIndex(at: $0) }
        for (entityIndex, rows) in owners {
            for property in model.layouts[entityIndex].properties {
                guard let relationship = property.relationship, relationship.description.isToMany,
                    let minimumCount = relationship.description.minimumCount, minimumCount > 0
                else { continue }
                let plan = RelatedPlan(
                    entityIndex: entityIndex, slot: property.slot, owners: rows.map { batch.key(at: $0) },
                    includesRows: false)
                for (_, links) in Dictionary(grouping: try session.related(plan).links, by: \.owner) {
                    for link in links.prefix(minimumCount) {
                        enqueue(link.target, at: relationship.destinationIndex, &wanted)
                    }
                }
            }
        }
    }

    private func enqueue(_ key: Int64, at entityIndex: Int, _ wanted: inout [Int: Set<Int64>]) {
        let root = model.layouts[entityIndex].rootIndex
        if !contains(key, rootIndex: root) { wanted[root, default: []].insert(key) }
    }
}

/// A pseudorandom order of keys, which depends only on the seed and the entity.
struct SampleOrder {
    private let start: UInt64

    init(seed: Int, entityName: String) {
        // FNV-1a, so that entities whose objects have the same keys are ordered in different ways.
        start = entityName.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(bitPattern: Int64(seed))) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
    }

    /// Returns the first keys in this order.
    func first(_ count: Int, of keys: [Int64]) -> [Int64] {
        let ranked = keys.map { (rank: rank($0), key: $0) }
        return ranked.sorted { $0 < $1 }.prefix(count).map(\.key)
    }

    /// Returns the position of a key in the order, computed with the finalizer of SplitMix64.
    private func rank(_ key: Int64) -> UInt64 {
        var number = start &+ UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
