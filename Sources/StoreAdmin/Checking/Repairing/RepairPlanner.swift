import ContextCore

/// Makes a repair plan from the findings of a check.
struct RepairPlanner {
    private var checking: StoreChecker
    private var plan: RepairPlan
    /// The descriptions of the one-to-one references that change, by row and column.
    private var pairings: [RowLocation: [Int: String]] = [:]
    /// The last position in each owner's list, after which the plan adds links.
    private var lastPositions: [Relation<Int64>: Int64] = [:]
    private var removedLinks: Set<Relation<RelatedRows.Link>> = []
    private var model: ObjectModel { checking.model }

    /// An owner or a link, together with the entity that declares its relationship and the relationship's slot.
    private struct Relation<Thing: Hashable & Sendable>: Hashable {
        let entityIndex: Int
        let slot: Int
        let thing: Thing
    }

    /// Creates a planner for the findings of a finished check of the whole store.
    init(_ checking: StoreChecker) {
        self.checking = checking
        plan = RepairPlan(model: checking.model)
    }

    mutating func make() throws -> RepairPlan {
        let defects = checking.findings.compactMap(\.defect)
        for case .inverse(let location, let slot, _) in defects { try pairObjects(location, slot) }
        for case .link(let index, let slot, let link) in defects {
            removedLinks.insert(Relation(entityIndex: index, slot: slot, thing: link.end))
        }
        for finding in checking.findings {
            plan.entries.append(RepairPlan.Entry(finding: finding, repair: try repair(finding)))
        }
        return plan
    }

    private mutating func repair(_ finding: StoreFinding) throws -> RepairPlan.Repair {
        switch finding.defect {
        case .reference(let location, let slot): clearReference(location, slot)
        case .inverse(let location, let slot, let target): setInverse(location, slot, target)
        case .link(let index, let slot, let link): removeLink(link, index, slot)
        case .mirror(let index, let slot, let link): try addMirrorLink(link, index, slot)
        case .order(let index, let slot, let owner): try assignPositions(owner, index, slot)
        case .external(let defect): repairExternalValue(defect)
        case .derived(let location, let slot, let value): describeRecomputation(value, location, slot)
        case nil: .none(Self.advice(finding))
        }
    }

    /// Returns the remedy for a finding that a repair plan can't fix.
    static func advice(_ finding: StoreFinding) -> String {
        switch finding.kind {
        case .damage: "none: restore a backup, or recover the readable rows with 'maintain recover'"
        case .unique: "none: change the values of one of the two objects, or delete it"
        case .counts: "none: add or remove objects"
        default: "none: set it to a value that the model allows"
        }
    }

    // MARK: References

    /// Plans to clear a dangling reference, unless the pairing of a one-to-one relationship sets it to another object.
    private mutating func clearReference(_ location: RowLocation, _ slot: Int) -> RepairPlan.Repair {
        let layout = model.layouts[location.entityIndex]
        let property = layout.properties[slot]
        guard let column = property.columns.first else { return .none("none") }
        if let words = pairings[location]?[column] { return .done(words) }
        guard property.relationship?.description.isOptional == true else {
            return .none(Self.requiredReferenceAdvice(layout, location.key, property))
        }
        plan.references[location, default: [:]][column] = .some(nil)
        return .done("\(property.name) is cleared")
    }

    private static func requiredReferenceAdvice(
        _ layout: EntityLayout, _ key: Int64, _ property: PropertyLayout
    ) -> String {
        "none: \(property.name) must refer to an object; set it to one, or delete \(layout.name):\(key)"
    }

    // MARK: One-to-one

    private mutating func setInverse(_ location: RowLocation, _ slot: Int, _ target: Int64)
        -> RepairPlan.Repair
    {
        let layout = model.layouts[location.entityIndex]
        let property = layout.properties[slot]
        guard let column = property.columns.first, let relationship = property.relationship,
            let inverseSlot = relationship.inverseSlot
        else { return .none("none") }
        if let words = pairings[location]?[column] { return .done(words) }
        if staysUnrepaired(location, slot) {
            return .none(Self.requiredReferenceAdvice(layout, location.key, property))
        }
        let destination = model.layouts[relationship.destinationIndex]
        let inverse = destination.properties[inverseSlot].name
        return .done("\(destination.name):\(target) \(inverse) is set to \(layout.name):\(location.key)")
    }

    /// The slots of required references that the pairing would have to clear, by row.
    private var requiredReferences: [RowLocation: Set<Int>] = [:]
    private var pairedRelationships: Set<Relation<Int>> = []

    private func staysUnrepaired(_ location: RowLocation, _ slot: Int) -> Bool {
        requiredReferences[location]?.contains(slot) == true
    }

    /// Pairs all objects of a one-to-one relationship, on the first call for that relationship.
    private mutating func pairObjects(_ location: RowLocation, _ slot: Int) throws {
        let property = model.layouts[location.entityIndex].properties[slot]
        guard let relationship = property.relationship, let inverseSlot = relationship.inverseSlot else {
            return
        }
        let ends = [(relationship.sourceIndex, slot), (relationship.destinationIndex, inverseSlot)].sorted {
            $0 < $1
        }
        let identity = Relation(entityIndex: ends[0].0, slot: ends[0].1, thing: 0)
        guard pairedRelationships.insert(identity).inserted else { return }
        let isOwnInverse = ends[0] == ends[1]
        var references: [OneToOnePairs.Member: OneToOnePairs.Member] = [:]
        var locations: [OneToOnePairs.Member: RowLocation] = [:]
        for (number, end) in ends.enumerated() where number == 0 || !isOwnInverse {
            let other = isOwnInverse ? 0 : 1 - number
            try forEachReference(of: end.0, end.1) { location, target in
                let member = OneToOnePairs.Member(end: number, key: location.key)
                locations[member] = location
                if let target { references[member] = OneToOnePairs.Member(end: other, key: target) }
            }
        }
        let pairs = OneToOnePairs(references) { number in
            let end = model.layouts[ends[number].0].properties[ends[number].1]
            return end.relationship?.description.isOptional == false
        }
        for member in pairs.changed {
            guard let location = locations[member] else { continue }
            let other = isOwnInverse ? member.end : 1 - member.end
            setReference(location, ends[member.end].1, to: pairs.partners[member]?.key, of: ends[other].0)
        }
    }

    private mutating func setReference(
        _ location: RowLocation, _ slot: Int, to target: Int64?, of otherIndex: Int
    ) {
        let property = model.layouts[location.entityIndex].properties[slot]
        guard let column = property.columns.first else { return }
        if target == nil, property.relationship?.description.isOptional != true {
            requiredReferences[location, default: []].insert(slot)
            return
        }
        plan.references[location, default: [:]][column] = .some(target)
        pairings[location, default: [:]][column] =
            target.map {
                "\(property.name) is set to \(model.layouts[otherIndex].name):\($0), which refers to it"
            } ?? "\(property.name) is cleared"
    }

    /// Calls a closure for each object of an entity, with the key that its to-one reference points to.
    ///
    /// The key is nil if the reference is null, or points to no object or to an object of the wrong entity.
    private mutating func forEachReference(
        of entityIndex: Int, _ slot: Int, _ body: (RowLocation, Int64?) -> Void
    ) throws {
        let layout = model.layouts[entityIndex]
        guard let column = layout.properties[slot].columns.first,
            let relationship = layout.properties[slot].relationship
        else { return }
        let destination = model.layouts[relationship.destinationIndex]
        let rows = try checking.session.fetch(FetchPlan(entityIndex: entityIndex, columns: [column]))
        for row in 0..<rows.count {
            let location = RowLocation(entityIndex: rows.entityIndex(at: row), key: rows.key(at: row))
            if case .int(let target) = rows.value(column, at: row),
                case .object = try checking.resolveTarget(target, of: destination)
            {
                body(location, target)
            } else {
                body(location, nil)
            }
        }
    }

    // MARK: Links

    private mutating func removeLink(
        _ link: RelatedRows.Link, _ index: Int, _ slot: Int
    ) -> RepairPlan.Repair {
        plan.links.append(ChangeSet.LinkChange(entityIndex: index, slot: slot, removed: [link]))
        return .done("the link is removed")
    }

    private mutating func addMirrorLink(
        _ link: RelatedRows.Link, _ index: Int, _ slot: Int
    ) throws -> RepairPlan.Repair {
        let (entity, owner) = (model.layouts[index], link.target)
        var mirror = RelatedRows.Link(owner: owner, target: link.owner, position: 0)
        if entity.properties[slot].relationship?.description.isOrdered == true {
            let list = Relation(entityIndex: index, slot: slot, thing: owner)
            let last =
                try lastPositions[list]
                ?? checking.links(of: [owner], entity.properties[slot], entity)[owner]?.last?.position ?? 0
            let (position, isTooLarge) = last.addingReportingOverflow(ListPositions.gap)
            mirror.position = isTooLarge ? last : position
            lastPositions[list] = mirror.position
        }
        plan.links.append(ChangeSet.LinkChange(entityIndex: index, slot: slot, placed: [mirror]))
        let name = entity.name
        return .done("\(name):\(link.target) is linked to \(name):\(link.owner) too")
    }

    /// Plans to give each object of an owner its own position, in the order in which the session reads them.
    private mutating func assignPositions(_ owner: Int64, _ index: Int, _ slot: Int) throws
        -> RepairPlan.Repair
    {
        let entity = model.layouts[index]
        let links = try (checking.links(of: [owner], entity.properties[slot], entity)[owner] ?? [])
            .filter { !removedLinks.contains(Relation(entityIndex: index, slot: slot, thing: $0.end)) }
        let positions = ListPositions.assign(links.map(\.position), gap: ListPositions.gap)
        let placed = zip(links, positions).filter { $0.position != $1 }.map { link, position in
            RelatedRows.Link(owner: link.owner, target: link.target, position: position)
        }
        if !placed.isEmpty {
            plan.links.append(ChangeSet.LinkChange(entityIndex: index, slot: slot, placed: placed))
        }
        return .done("each object gets its own position, in the order in which they are read now")
    }

    // MARK: Values

    /// Returns the description of recomputing a derived attribute.
    ///
    /// ``CheckRepair`` recomputes after all other repairs, because the value may depend on them.
    private func describeRecomputation(_ value: StoredValue, _ location: RowLocation, _ slot: Int)
        -> RepairPlan.Repair
    {
        let property = model.layouts[location.entityIndex].properties[slot]
        guard let attribute = property.attribute, case .derived(let derivation) = attribute.storage else {
            return .none("none")
        }
        if attribute.canStore(derived: value) { return .done("\(property.name) is recomputed") }
        return .none(
            "none: \(property.name) can't hold \(derivation.definition); change what it is derived from")
    }

    private mutating func repairExternalValue(_ defect: ExternalValueMismatch) -> RepairPlan.Repair {
        let layout = model.layouts[defect.entityIndex]
        let property = layout.properties[defect.slot]
        switch defect.kind {
        case .missing:
            guard let column = property.columns.first, property.attribute?.isOptional == true else {
                return .none(
                    "none: the value is lost, and \(property.name) must have one; set it, or delete \(layout.name):\(defect.key)"
                )
            }
            let location = RowLocation(entityIndex: defect.entityIndex, key: defect.key)
            plan.cleared[location, default: []].insert(column)
            return .done("\(property.name) is set to nil, because its value is lost")
        case .ownerless:
            plan.defects.append(defect)
            return .done("the external value is removed")
        case .stamp:
            plan.defects.append(defect)
            return .done("\(property.name) keeps the external value")
        case .unnamed:
            guard let column = property.columns.first else { return .none("none") }
            // Contexts have read nil so far. Saving the value again records a change in the history, so that they load it.
            let location = RowLocation(entityIndex: defect.entityIndex, key: defect.key)
            plan.rewritten[location, default: []].insert(column)
            return .done("\(property.name) is set to the external value")
        case .leftover:
            plan.defects.append(defect)
            return .done("\(property.name) keeps the value in its row, and the external value is removed")
        }
    }
}

extension AttributeDescription {
    /// Whether the attribute can store a computed value.
    ///
    /// A required attribute can't store null, and a number may have too many digits for the attribute's type.
    func canStore(derived value: StoredValue) -> Bool {
        value.isNull ? isOptional : value.converted(to: type) != nil
    }
}

extension RelatedRows.Link {
    /// The link without its position.
    fileprivate var end: RelatedRows.Link { RelatedRows.Link(owner: owner, target: target) }
}
