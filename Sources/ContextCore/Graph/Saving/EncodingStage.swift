/// Encodes changed objects as a change set, with rows grouped by entity and operation.
struct EncodingStage {
    let graph: ObjectGraph
    /// Whether the store's transaction calculates derived attributes.
    var defersDerivations = false

    /// Encodes the objects of a save.
    ///
    /// - Parameter unseen: The deletions of dependents that are not loaded.
    /// - Throws: ``StoreError/Code/validation`` with each object that is too large for an index.
    func encode(
        _ work: SaveSelection, _ unloadedDependents: [ChangeSet.Deletion], name: String?, author: String?
    ) throws -> EncodedSave {
        var save = EncodedSave(work: work, changes: ChangeSet(author: author, contextName: name))
        try insert(work.inserted, &save)
        try update(work.updated, &save)
        if !save.failures.isEmpty { throw StoreError(breaking: save.failures) }
        save.changes.deletes = unloadedDependents
        try delete(work.deleted, &save)
        try LinkEncoding(graph: graph).encode(work, &save)
        save.changes.defersDerivations =
            defersDerivations && graph.model.derives(from: save.changes)
            || !graph.parent.needsBaseRows && graph.model.copiesValues(from: save.changes)
        return save
    }

    private func insert(_ kinds: [SaveSelection.Kind], _ save: inout EncodedSave) throws {
        for kind in kinds {
            var builder = rowBuilder(for: kind.objects)
            let areAllNew = graph.lastVersions.isEmpty
            kind.objects.forEachUnretained { object in
                let version = areAllNew ? RowBatch.firstVersion : graph.firstVersion(of: object)
                graph.appendRow(of: object, version: version, to: &builder)
            }
            let rows = try builder.finish()
            appendFailures(ofOversized: rows, of: kind.objects, kind.entity, changing: nil, &save)
            save.changes.inserts.append(ChangeSet.Insertion(entityIndex: kind.entity.index, rows: rows))
            save.appendRows(kind.objects, rows)
        }
    }

    private func update(_ kinds: [SaveSelection.Kind], _ save: inout EncodedSave) throws {
        for kind in kinds {
            let derived = defersDerivations ? kind.entity.derivedColumns : []
            for (changed, objects) in groupedByChangedColumns(kind.objects) {
                let columns = derived.isEmpty ? changed : changed.filter { !derived.contains($0) }
                if columns.isEmpty { continue }
                var builder = rowBuilder(for: objects)
                var versions: [Int64] = []
                versions.reserveCapacity(objects.count)
                // Versions count saves to the store. A parent context keeps the version, because it will save the change itself.
                let step: Int64 = graph.parent.needsBaseRows ? 0 : 1
                objects.forEachUnretained { object in
                    let version = graph.version(of: object)
                    versions.append(version)
                    graph.appendRow(of: object, version: version &+ step, to: &builder)
                    // The store's transaction calculates these columns and compares them with the committed ones.
                    if !derived.isEmpty { graph.setCommittedValues(derived, of: object, in: &builder) }
                }
                let rows = try builder.finish()
                appendFailures(ofOversized: rows, of: objects, kind.entity, changing: columns, &save)
                save.changes.updates.append(
                    ChangeSet.Update(
                        entityIndex: kind.entity.index, columns: columns, rows: rows,
                        baseVersions: versions, baseRows: try baseRows(of: objects)))
                save.appendRows(objects, rows)
            }
        }
    }

    /// Appends a failure for each object whose row is too large for an index; ``ValidationStage`` can't check this
    /// without rows.
    private func appendFailures(
        ofOversized rows: RowBatch, of objects: [ManagedObject], _ entity: EntityLayout,
        changing columns: [Int]?,
        _ save: inout EncodedSave
    ) {
        for row in entity.oversizedRows(in: rows, changing: columns) {
            let names = entity.names(of: row.index)
            let (most, found) = ("must have at most \(row.index.maximumBytes) bytes", "\(row.bytes) bytes")
            let together = names.joined(separator: ", ")
            save.failures.append(
                names.count == 1
                    ? objects[row.row].failure(together, "is indexed or unique, so it \(most)", found)
                    : objects[row.row].failure(
                        nil, "\(together) are indexed or unique together, so they \(most)", found))
        }
    }

    /// Encodes deletions, those of dependents before those of their owners, so that no row ever refers to a deleted
    /// one.
    ///
    /// Owners were marked as deleted before their dependents, so the order is reversed.
    private func delete(_ kinds: [SaveSelection.Kind], _ save: inout EncodedSave) throws {
        for kind in kinds.reversed() {
            let keys = kind.objects.map(\.key)
            let versions = kind.objects.map { $0.row >= 0 ? graph.version(of: $0) : nil }
            if let place = save.changes.deletes.firstIndex(where: { $0.entityIndex == kind.entity.index }) {
                save.changes.deletes[place].keys += keys
                save.changes.deletes[place].baseVersions += versions
                continue
            }
            save.changes.deletes.append(
                ChangeSet.Deletion(
                    entityIndex: kind.entity.index, keys: keys, baseVersions: versions,
                    baseRows: try baseRows(of: kind.objects)))
        }
    }

    private func rowBuilder(for objects: [ManagedObject]) -> RowBatchBuilder {
        let size = objects.first.map { $0.entity.fields.rowSize } ?? 0
        return RowBatchBuilder(
            model: graph.model, rowCapacity: objects.count * size, heapCapacity: objects.count * 32)
    }

    /// Returns the base rows of objects, if the parent needs them.
    private func baseRows(of objects: [ManagedObject]) throws -> RowBatch? {
        guard graph.parent.needsBaseRows else { return nil }
        var builder = rowBuilder(for: objects)
        for object in objects where object.row >= 0 {
            if let group = object.group { builder.append(Int(object.row), of: group.batch) }
        }
        return try builder.finish()
    }

    /// Groups objects by their changed columns, in the order of first appearance.
    private func groupedByChangedColumns(_ objects: [ManagedObject]) -> [(
        columns: [Int], objects: [ManagedObject]
    )] {
        guard let first = objects.first else { return [] }
        // One list is reused for all objects, to avoid an allocation for each.
        var columns: [Int] = []
        collectChangedColumns(of: first, in: &columns)
        let common = columns
        let areAlike = objects.allSatisfyUnretained { object in
            collectChangedColumns(of: object, in: &columns)
            return columns == common
        }
        if areAlike { return [(common, objects)] }
        var groups: [(columns: [Int], objects: [ManagedObject])] = []
        var places: [[Int]: Int] = [:]
        for object in objects {
            collectChangedColumns(of: object, in: &columns)
            // Consecutive objects mostly have the same changed columns.
            if let last = groups.indices.last, groups[last].columns == columns {
                groups[last].objects.append(object)
            } else if let place = places[columns] {
                groups[place].objects.append(object)
            } else {
                places[columns] = groups.count
                groups.append((columns, [object]))
            }
        }
        return groups
    }

    private func collectChangedColumns(of object: ManagedObject, in columns: inout [Int]) {
        columns.removeAll(keepingCapacity: true)
        object.overlayReference?.withUnretained { overlay in
            for slot in overlay.occupied {
                switch overlay.slots[slot] {
                case .value, .object:
                    let place = object.location(of: slot)
                    if place.hasSingleColumn {
                        columns.append(place.column)
                    } else {
                        columns += object.entity.properties[slot].columns
                    }
                case .unchanged, .clean, .collection: break
                }
            }
        }
    }
}

/// A change set with the rows of its objects.
struct EncodedSave {
    let work: SaveSelection
    var changes: ChangeSet
    /// The changes that the store applied, with derived attributes; empty if it calculated none.
    var completed: [ChangeSet] = []
    /// The validation failures that can be found only in the encoded rows.
    var failures: [ValidationFailure] = []
    /// The row of each object after the save.
    private(set) var rows: [(objects: [ManagedObject], group: RowGroup)] = []
    /// The positions of the members of ordered relationships after the save.
    private(set) var positions: [(state: ToManyState, positions: [ManagedObject: Int64])] = []

    /// Returns the save with the changes that the store applied.
    func completed(by receipt: SaveReceipt) -> EncodedSave {
        var save = self
        save.completed = receipt.completed
        return save
    }

    mutating func appendRows(_ objects: [ManagedObject], _ batch: RowBatch) {
        rows.append((objects, RowGroup(batch)))
    }

    mutating func setPositions(_ state: ToManyState, _ positions: [ManagedObject: Int64]) {
        self.positions.append((state, positions))
    }
}
