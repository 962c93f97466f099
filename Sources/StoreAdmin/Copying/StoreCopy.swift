import ContextCore

/// Copies all objects of a store, or a sample of them, into another store with the same model, with their keys and versions.
///
/// Each batch of objects is one transaction. Objects that exist in the destination are skipped, so that a copy that was killed
/// continues when the command runs again.
struct StoreCopy {
    static let batchSize = 2000
    static let author = "storectl copy"

    let source: any ReadSession
    let destination: any StoreCoordinator
    let model: ObjectModel
    /// The objects to copy; nil for all.
    var sample: StoreSample?
    /// The masks of values; nil for none.
    var mask: DataMask?
    /// Reports progress: an entity's name, the number of its objects that are done, and their total.
    var progress: (String, Int, Int) -> Void = { _, _, _ in }
    /// Throws to stop the copy.
    var betweenBatches: () throws -> Void = {}

    /// Copies the objects, then their links.
    func copy() throws {
        try LinkOwnerCheck(session: source, model: model, keys: keys(of:)).check(model.layouts)
        try reserveKeys()
        for group in CopyOrder.groups(of: model) {
            let entities = model.layouts.filter { group.roots.contains($0.rootIndex) && !$0.isAbstract }
            if group.isCircular {
                try copyCircular(entities)
            } else {
                for entity in entities { try copy(entity) }
            }
        }
        for entity in model.layouts where !entity.isAbstract { try copyLinks(of: entity) }
    }

    // MARK: Keys

    /// Reserves the source's keys in the destination, so that it doesn't assign them to new objects.
    private func reserveKeys() throws {
        let session = try openDestination()
        defer { session.end() }
        for root in Set(model.layouts.map(\.rootIndex)).sorted() {
            guard let maxKey = try KeyChunks.maxKey(of: model.layouts[root], source) else { continue }
            let reserved = try session.reserveKeys(1, rootIndex: root)
            if reserved.upperBound <= maxKey {
                _ = try session.reserveKeys(Int(maxKey - reserved.upperBound + 1), rootIndex: root)
            }
        }
        _ = try session.commit()
    }

    private func openDestination() throws -> any WriteSession {
        try destination.openWriteSession(SessionOptions(identifier: Self.author))
    }

    private func existingKeys(of entity: EntityLayout) throws -> Set<Int64> {
        let session = try destination.openReadSession(.forAllRows(identifier: Self.author))
        defer { session.end() }
        return Set(try KeyChunks(entity, session).all)
    }

    // MARK: Objects

    /// Returns the keys of an entity's own objects that the destination doesn't have yet.
    private func missingKeys(of entity: EntityLayout) throws -> [Int64] {
        let existingLinks = try existingKeys(of: entity)
        let keys = try keys(of: entity)
        return existingLinks.isEmpty ? keys : keys.filter { !existingLinks.contains($0) }
    }

    private func keys(of entity: EntityLayout) throws -> [Int64] {
        try sample?.keys(of: entity) ?? KeyChunks(entity, source).all
    }

    private func copy(_ entity: EntityLayout) throws {
        let keys = try missingKeys(of: entity)
        var done = 0
        try source.forEachBatch(of: keys, entityIndex: entity.index, maxBatchSize: Self.batchSize) {
            part, rows in
            var changes = ChangeSet(author: Self.author)
            changes.inserts = [ChangeSet.Insertion(entityIndex: entity.index, rows: try masked(rows))]
            try apply(changes)
            done += part.count
            progress(entity.name, done, keys.count)
        }
    }

    /// The entity and the key of an object.
    private struct ObjectKey: Hashable {
        let entityIndex: Int
        let key: Int64
    }

    private func copyCircular(_ entities: [EntityLayout]) throws {
        var objects: [ObjectKey] = []
        for entity in entities {
            objects += try missingKeys(of: entity).map { ObjectKey(entityIndex: entity.index, key: $0) }
        }
        let references = try references(of: objects, entities)
        let (ordered, circular) = CopyOrder.order(objects, references)
        let name = entities.map(\.name).joined(separator: ", ")
        var batchSizer = BatchSizer(maxBatchSize: Self.batchSize)
        var done = 0
        while done < ordered.count {
            var changes = ChangeSet()
            done += try batchSizer.read(of: ordered.count - done) { count in
                changes = try insertion(of: ordered[done..<done + count])
                return changes.inserts.reduce(0) { $0 + $1.rows.heapSize }
            }
            try apply(changes)
            progress(name, done, objects.count)
        }
        // The objects of a cycle are written in one transaction.
        var batch: [ObjectKey] = []
        let components = CopyOrder.components(of: circular, references)
        for (index, component) in components.enumerated() {
            batch += component
            let next = index + 1 < components.count ? components[index + 1].count : .max
            if next <= batchSizer.count - batch.count { continue }
            let changes = try insertion(of: batch[...])
            batchSizer.recordBatch(
                rows: batch.count, bytes: changes.inserts.reduce(0) { $0 + $1.rows.heapSize })
            try apply(changes)
            done += batch.count
            progress(name, done, objects.count)
            batch = []
        }
    }

    /// Returns the references between the given objects.
    private func references(of objects: [ObjectKey], _ entities: [EntityLayout]) throws -> [ObjectKey:
        [ObjectKey]]
    {
        var known: [Int: [Int64: ObjectKey]] = [:]
        for object in objects {
            known[model.layouts[object.entityIndex].rootIndex, default: [:]][object.key] = object
        }
        var references: [ObjectKey: [ObjectKey]] = [:]
        for (entityIndex, own) in Dictionary(grouping: objects, by: \.entityIndex) {
            let layout = model.layouts[entityIndex]
            let columns = layout.properties.compactMap { property in
                property.relationship.flatMap { relationship in
                    property.columns.first.map {
                        (column: $0, root: model.layouts[relationship.destinationIndex].rootIndex)
                    }
                }
            }
            let keys = own.map(\.key)
            try source.forEachBatch(of: keys, entityIndex: entityIndex, maxBatchSize: Self.batchSize) {
                _, batch in
                for row in 0..<batch.count {
                    let object = ObjectKey(entityIndex: entityIndex, key: batch.key(at: row))
                    references[object] = columns.compactMap { column, root in
                        guard case .int(let key) = batch.value(column, at: row) else { return nil }
                        return known[root]?[key]
                    }
                }
            }
        }
        return references
    }

    /// Reads objects, and returns a change set that inserts them.
    private func insertion(of objects: ArraySlice<ObjectKey>) throws -> ChangeSet {
        var changes = ChangeSet(author: Self.author)
        let keys = Dictionary(grouping: objects, by: \.entityIndex).mapValues { $0.map(\.key) }
        for (entityIndex, keys) in keys.sorted(by: { $0.key < $1.key }) {
            changes.inserts.append(
                ChangeSet.Insertion(
                    entityIndex: entityIndex,
                    rows: try masked(source.rows(keys, entityIndex: entityIndex))))
        }
        return changes
    }

    private func masked(_ rows: RowBatch) throws -> RowBatch { try mask?.masked(rows) ?? rows }

    // MARK: Links

    private func copyLinks(of entity: EntityLayout) throws {
        for property in entity.storedCollections(in: model) {
            let owners = try keys(of: entity)
            for part in owners.chunks(ofCount: Self.batchSize) {
                let plan = RelatedPlan(
                    entityIndex: entity.index, slot: property.slot, owners: Array(part), includesRows: false)
                let links = copiedLinks(try source.related(plan).links, property)
                let isCopied = try links == existingLinks(plan)
                if links.isEmpty || isCopied { continue }
                var changes = ChangeSet(author: Self.author)
                changes.links = [
                    ChangeSet.LinkChange(entityIndex: entity.index, slot: property.slot, placed: links)
                ]
                try apply(changes)
                progress("links of \(entity.name)", part.endIndex, owners.count)
            }
        }
    }

    /// Returns the links whose targets are copied, with consecutive positions.
    private func copiedLinks(_ links: [RelatedRows.Link], _ property: PropertyLayout) -> [RelatedRows.Link] {
        guard let sample, let relationship = property.relationship else { return links }
        let root = model.layouts[relationship.destinationIndex].rootIndex
        var next: [Int64: Int64] = [:]
        return links.filter { sample.contains($0.target, rootIndex: root) }.map { link in
            var link = link
            if relationship.description.isOrdered {
                link.position = next[link.owner, default: 0]
                next[link.owner] = link.position + 1
            }
            return link
        }
    }

    private func existingLinks(_ plan: RelatedPlan) throws -> [RelatedRows.Link] {
        let session = try destination.openReadSession(.forAllRows(identifier: Self.author))
        defer { session.end() }
        return try session.related(plan).links
    }

    private func apply(_ changes: ChangeSet) throws {
        let session = try openDestination()
        defer { session.end() }
        let receipt = try session.apply(changes)
        if let conflict = receipt.conflicts.first {
            throw AdminError.contradiction("the objects can't be written: \(conflict.text(in: model)).")
        }
        _ = try session.commit()
        try betweenBatches()
    }
}

extension RowConflict {
    /// Returns a description of the conflict.
    func text(in model: ObjectModel) -> String {
        let object = "\(model.layouts[entityIndex].name):\(key)"
        return switch reason {
        case .changed: "\(object) was changed concurrently"
        case .deleted: "\(object) does not exist"
        case .duplicate(let constraint, let other):
            constraint.isEmpty
                ? "\(object) already exists"
                : "\(object) has the same \(constraint.joined(separator: ", ")) as \(other)"
        case .missingReference(let property):
            "\(object) refers by \(property) to an object that does not exist\(otherEntity(property, model))"
        case .denied(let property): "\(object) can't be deleted because of \(property)"
        }
    }

    /// Returns the other possible reason of a missing reference, the object's entity; empty if any entity of its tree is allowed.
    private func otherEntity(_ property: String, _ model: ObjectModel) -> String {
        guard let relationship = model.layouts[entityIndex].property(named: property)?.relationship else {
            return ""
        }
        let destination = model.layouts[relationship.destinationIndex]
        return destination.rootIndex == destination.index
            ? "" : ", or is not an object of \(destination.name)"
    }
}
