import ContextCore

/// Checks every object of a store: its values, references, unique constraints, links and inverses.
struct StoreChecker {
    let session: any ReadSession
    let model: ObjectModel
    let kinds: Set<StoreFinding.Kind>
    /// The number of findings at which the check stops.
    let limit: Int
    /// Reports progress: what is checked, how many objects are done, and how many there are.
    private let progress: (String, Int, Int) -> Void
    private(set) var findings: [StoreFinding] = []
    /// The cached keys of each inheritance tree, with the index of each object's entity.
    private var keys: [Int: [Int64: Int]] = [:]
    private var duplicates = DuplicateSearch()

    init(
        session: any ReadSession, model: ObjectModel, kinds: Set<StoreFinding.Kind>, limit: Int,
        progress: @escaping (String, Int, Int) -> Void
    ) {
        self.progress = progress
        self.session = session
        self.model = model
        self.kinds = kinds
        self.limit = limit
    }

    var hasReachedLimit: Bool { findings.count >= limit }

    mutating func check(_ entities: [EntityLayout]) throws {
        try reportDamage("Links or external values") { try $0.checkStrayRows(of: entities) }
        for entity in entities where !hasReachedLimit {
            try reportDamage("Objects of \(entity.name) or related objects") { checking in
                try checking.checkStrayLinks(declaredBy: entity)
                if entity.isAbstract { return }
                try checking.check(entity)
                if checking.kinds.contains(.derived) { try checking.checkDerivedValues(of: entity) }
            }
        }
    }

    /// Runs a part of the check, and records a finding if the database can't read the rows because of damage.
    private mutating func reportDamage(
        _ what: String, _ part: (inout StoreChecker) throws -> Void
    ) rethrows {
        do {
            try part(&self)
        } catch let error as StoreError where error.code == .corrupt {
            findings.append(
                StoreFinding(kind: .damage, message: "\(what) can't be read. \(error.message)"))
        }
    }

    private mutating func check(_ entity: EntityLayout) throws {
        let chunks = try KeyChunks(entity, session)
        var done = 0
        for chunk in chunks {
            try session.forEachBatch(of: chunk, entityIndex: entity.index) { _, batch in
                for row in 0..<batch.count where !hasReachedLimit {
                    checkValues(batch, row, entity)
                    try checkReferences(batch, row, entity)
                    if kinds.contains(.unique) { findings += duplicates.findings(batch, row, entity) }
                }
                for property in entity.properties where !hasReachedLimit {
                    try checkInverse(of: property, batch, entity)
                }
            }
            for property in entity.properties where !hasReachedLimit {
                try checkLinks(chunk, property, entity)
            }
            done += chunk.count
            progress("checking \(entity.name)", done, chunks.count)
        }
    }

    mutating func recordFinding(
        _ kind: StoreFinding.Kind, _ entity: EntityLayout, _ key: Int64, _ property: String,
        _ message: String, _ defect: StoreFinding.Defect? = nil
    ) {
        guard kinds.contains(kind), !hasReachedLimit else { return }
        findings.append(
            StoreFinding(
                kind: kind, object: "\(entity.name):\(key)", property: property, message: message,
                defect: defect))
    }

    // MARK: Values

    /// Compares the derived attributes of an entity's own objects with their definitions.
    mutating func checkDerivedValues(of entity: EntityLayout) throws {
        guard var comparison = try DerivedComparison(entity, in: model, maxBatchSize: KeyChunks.defaultSize)
        else {
            return
        }
        let chunks = try KeyChunks(entity, session)
        var done = 0
        for chunk in chunks where !hasReachedLimit {
            for found in try comparison.differences(chunk, session) {
                recordFinding(
                    .derived, entity, found.key, found.property.name, "is not \(found.derivation.definition)",
                    .derived(
                        RowLocation(entityIndex: entity.index, key: found.key), slot: found.property.slot,
                        value: found.value))
            }
            done += chunk.count
            progress("comparing derived values of \(entity.name)", done, chunks.count)
        }
    }

    private mutating func checkValues(_ batch: RowBatch, _ row: Int, _ entity: EntityLayout) {
        let key = batch.key(at: row)
        for property in entity.properties {
            if let validation = property.validation, !property.columns.isEmpty {
                for failure in validation.failures(of: batch.storedValue(of: property, at: row)) {
                    recordFinding(.kind(of: failure), entity, key, property.name, failure.message)
                }
            } else if let relationship = property.relationship, let column = property.columns.first,
                !relationship.description.isOptional, batch.isNull(column, at: row)
            {
                recordFinding(.required, entity, key, property.name, "must refer to an object")
            }
        }
    }

    private mutating func checkReferences(_ batch: RowBatch, _ row: Int, _ entity: EntityLayout) throws {
        guard kinds.contains(.orphans) else { return }
        for property in entity.properties {
            guard let relationship = property.relationship, let column = property.columns.first,
                case .int(let target) = batch.value(column, at: row)
            else { continue }
            let destination = model.layouts[relationship.destinationIndex]
            switch try resolveTarget(target, of: destination) {
            case .object: continue
            case .missing where model.mayDangle(relationship): continue
            case let wrong:
                recordFinding(
                    .orphans, entity, batch.key(at: row), property.name,
                    "refers to \(text(wrong, target, destination))",
                    .reference(
                        RowLocation(entityIndex: entity.index, key: batch.key(at: row)), slot: property.slot))
            }
        }
    }

    /// Returns the keys of all objects of an inheritance tree, with the index of each object's entity.
    mutating func entityIndicesByKey(_ rootIndex: Int) throws -> [Int64: Int] {
        if let known = keys[rootIndex] { return known }
        let batch = try session.fetch(FetchPlan(entityIndex: rootIndex, columns: []))
        var known: [Int64: Int] = [:]
        known.reserveCapacity(batch.count)
        for row in 0..<batch.count { known[batch.key(at: row)] = batch.entityIndex(at: row) }
        keys[rootIndex] = known
        return known
    }
}
