import ContextCore

/// Makes a repair plan from the findings of a check.
struct RepairPlanning {
    private var checking: StoreChecking
    private var plan = RepairPlan()
    /// The descriptions of the one-to-one references that change, by row and column.
    private var pairings: [RowPlace: [Int: String]] = [:]
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
    init(_ checking: StoreChecking) { self.checking = checking }

    mutating func make() throws -> RepairPlan {
        let faults = checking.findings.compactMap(\.fault)
        for case .inverse(let place, let slot, _) in faults { try pair(place, slot) }
        for case .link(let index, let slot, let link) in faults {
            removedLinks.insert(Relation(entityIndex: index, slot: slot, thing: link.end))
        }
        for finding in checking.findings {
            plan.entries.append(RepairPlan.Entry(finding: finding, repair: try repair(finding)))
        }
        return plan
    }

    private mutating func repair(_ finding: StoreFinding) throws -> RepairPlan.Repair {
        switch finding.fault {
        case .reference(let place, let slot): clear(place, slot)
        case .inverse(let place, let slot, let target): agree(place, slot, target)
        case .link(let index, let slot, let link): remove(link, index, slot)
        case .mirror(let index, let slot, let link): try reflect(link, index, slot)
        case .order(let index, let slot, let owner): try arrange(owner, index, slot)
        case .external(let fault): resolve(fault)
        case .derived(let place, let slot, let value): derive(value, place, slot)
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
    private mutating func clear(_ place: RowPlace, _ slot: Int) -> RepairPlan.Repair {
        let layout = model.layouts[place.entityIndex]
        let property = layout.properties[slot]
        guard let column = property.columns.first else { return .none("none") }
        if let words = pairings[place]?[column] { return .done(words) }
        guard property.relationship?.description.isOptional == true else {
            return .none(Self.required(layout, place.key, property))
        }
        plan.references[place, default: [:]][column] = .some(nil)
        return .done("\(property.name) is cleared")
    }

    private static func required(
        _ layout: EntityLayout, _ key: Int64, _ property: PropertyLayout
    ) -> String {
        "none: \(property.name) must refer to an object; set it to one, or delete \(layout.name):\(key)"
    }

    // MARK: One-to-one

    private mutating func agree(_ place: RowPlace, _ slot: Int, _ target: Int64) -> RepairPlan.Repair {
        let layout = model.layouts[place.entityIndex]
        let property = layout.properties[slot]
        guard let column = property.columns.first, let relationship = property.relationship,
            let inverseSlot = relationship.inverseSlot
        else { return .none("none") }
        if let words = pairings[place]?[column] { return .done(words) }
        if isLeft(place, slot) { return .none(Self.required(layout, place.key, property)) }
        let destination = model.layouts[relationship.destinationIndex]
        let inverse = destination.properties[inverseSlot].name
        return .done("\(destination.name):\(target) \(inverse) is set to \(layout.name):\(place.key)")
    }

    /// The slots of required references that the pairing would have to clear, by row.
    private var requiredReferences: [RowPlace: Set<Int>] = [:]
    private var paired: Set<Relation<Int>> = []

    private func isLeft(_ place: RowPlace, _ slot: Int) -> Bool {
        requiredReferences[place]?.contains(slot) == true
    }

    /// Pairs all objects of a one-to-one relationship, on the first call for that relationship.
    private mutating func pair(_ place: RowPlace, _ slot: Int) throws {
        let property = model.layouts[place.entityIndex].properties[slot]
        guard let relationship = property.relationship, let inverseSlot = relationship.inverseSlot else {
            return
        }
        let ends = [(relationship.sourceIndex, slot), (relationship.destinationIndex, inverseSlot)].sorted {
            $0 < $1
        }
        let identity = Relation(entityIndex: ends[0].0, slot: ends[0].1, thing: 0)
        guard paired.insert(identity).inserted else { return }
        let isOwnInverse = ends[0] == ends[1]
        var references: [OneToOnePairs.Member: OneToOnePairs.Member] = [:]
        var places: [OneToOnePairs.Member: RowPlace] = [:]
        for (number, end) in ends.enumerated() where number == 0 || !isOwnInverse {
            let other = isOwnInverse ? 0 : 1 - number
            try forEachReference(of: end.0, end.1) { place, target in
                let member = OneToOnePairs.Member(end: number, key: place.key)
                places[member] = place
                if let target { references[member] = OneToOnePairs.Member(end: other, key: target) }
            }
        }
        let pairs = OneToOnePairs(references) { number in
            let end = model.layouts[ends[number].0].properties[ends[number].1]
            return end.relationship?.description.isOptional == false
        }
        for member in pairs.changed {
            guard let place = places[member] else { continue }
            let other = isOwnInverse ? member.end : 1 - member.end
            set(place, ends[member.end].1, to: pairs.partners[member]?.key, of: ends[other].0)
        }
    }

    private mutating func set(_ place: RowPlace, _ slot: Int, to target: Int64?, of otherIndex: Int) {
        let property = model.layouts[place.entityIndex].properties[slot]
        guard let column = property.columns.first else { return }
        if target == nil, property.relationship?.description.isOptional != true {
            requiredReferences[place, default: []].insert(slot)
            return
        }
        plan.references[place, default: [:]][column] = .some(target)
        pairings[place, default: [:]][column] =
            target.map {
                "\(property.name) is set to \(model.layouts[otherIndex].name):\($0), which refers to it"
            } ?? "\(property.name) is cleared"
    }

    /// Calls a closure for each object of an entity, with the key that its to-one reference points to.
    ///
    /// The key is nil if the reference is null, or points to no object or to an object of the wrong entity.
    private mutating func forEachReference(
        of entityIndex: Int, _ slot: Int, _ body: (RowPlace, Int64?) -> Void
    ) throws {
        let layout = model.layouts[entityIndex]
        guard let column = layout.properties[slot].columns.first,
            let relationship = layout.properties[slot].relationship
        else { return }
        let destination = model.layouts[relationship.destinationIndex]
        let rows = try checking.session.fetch(FetchPlan(entityIndex: entityIndex, columns: [column]))
        for row in 0..<rows.count {
            let place = RowPlace(entityIndex: rows.entityIndex(at: row), key: rows.key(at: row))
            if case .int(let target) = rows.value(column, at: row),
                case .object = try checking.end(target, of: destination)
            {
                body(place, target)
            } else {
                body(place, nil)
            }
        }
    }

    // MARK: Links

    private mutating func remove(
        _ link: RelatedRows.Link, _ index: Int, _ slot: Int
    ) -> RepairPlan.Repair {
        plan.links.append(ChangeSet.LinkChange(entityIndex: index, slot: slot, removed: [link]))
        return .done("the link is removed")
    }

    private mutating func reflect(
        _ link: RelatedRows.Link, _ index: Int, _ slot: Int
    ) throws -> RepairPlan.Repair {
        let (entity, owner) = (model.layouts[index], link.target)
        var mirror = RelatedRows.Link(owner: owner, target: link.owner, position: 0)
        if entity.properties[slot].relationship?.description.isOrdered == true {
            let list = Relation(entityIndex: index, slot: slot, thing: owner)
            let last =
                try lastPositions[list]
                ?? checking.links(of: [owner], entity.properties[slot], entity)[owner]?.last?.position ?? 0
            let (position, isTooLarge) = last.addingReportingOverflow(LinkEncoding.gap)
            mirror.position = isTooLarge ? last : position
            lastPositions[list] = mirror.position
        }
        plan.links.append(ChangeSet.LinkChange(entityIndex: index, slot: slot, placed: [mirror]))
        let name = entity.name
        return .done("\(name):\(link.target) is linked to \(name):\(link.owner) too")
    }

    /// Plans to give each object of an owner a position of its own, in the order in which the session reads them.
    private mutating func arrange(_ owner: Int64, _ index: Int, _ slot: Int) throws -> RepairPlan.Repair {
        let entity = model.layouts[index]
        let links = try (checking.links(of: [owner], entity.properties[slot], entity)[owner] ?? [])
            .filter { !removedLinks.contains(Relation(entityIndex: index, slot: slot, thing: $0.end)) }
        let positions = ListPositions.assign(links.map(\.position), gap: LinkEncoding.gap)
        let placed = zip(links, positions).filter { $0.position != $1 }.map { link, position in
            RelatedRows.Link(owner: link.owner, target: link.target, position: position)
        }
        if !placed.isEmpty {
            plan.links.append(ChangeSet.LinkChange(entityIndex: index, slot: slot, placed: placed))
        }
        return .done("each object gets a position of its own, in the order in which they are read now")
    }

    // MARK: Values

    /// Returns the description of recomputing a derived attribute.
    ///
    /// ``CheckRepair`` recomputes after all other repairs, because the value may depend on them.
    private func derive(_ value: StoredValue, _ place: RowPlace, _ slot: Int) -> RepairPlan.Repair {
        let property = model.layouts[place.entityIndex].properties[slot]
        guard let attribute = property.attribute, case .derived(let derivation) = attribute.storage else {
            return .none("none")
        }
        if attribute.canKeep(derived: value) { return .done("\(property.name) is recomputed") }
        return .none(
            "none: \(property.name) can't hold \(derivation.definition); change what it is derived from")
    }

    private mutating func resolve(_ fault: ExternalValueMismatch) -> RepairPlan.Repair {
        let layout = model.layouts[fault.entityIndex]
        let property = layout.properties[fault.slot]
        switch fault.kind {
        case .missing:
            guard let column = property.columns.first, property.attribute?.isOptional == true else {
                return .none(
                    "none: the value is lost, and \(property.name) must have one; set it, or delete \(layout.name):\(fault.key)"
                )
            }
            let place = RowPlace(entityIndex: fault.entityIndex, key: fault.key)
            plan.cleared[place, default: []].insert(column)
            return .done("\(property.name) is set to nil, because its value is lost")
        case .ownerless:
            plan.faults.append(fault)
            return .done("the external value is removed")
        case .stamp:
            plan.faults.append(fault)
            return .done("\(property.name) keeps the external value")
        case .unnamed:
            guard let column = property.columns.first else { return .none("none") }
            // Contexts have read nil so far. Saving the value again records a change in the history, so that they load it.
            let place = RowPlace(entityIndex: fault.entityIndex, key: fault.key)
            plan.rewritten[place, default: []].insert(column)
            return .done("\(property.name) is set to the external value")
        case .leftover:
            plan.faults.append(fault)
            return .done("\(property.name) keeps the value in its row, and the external value is removed")
        }
    }
}

extension AttributeDescription {
    /// Whether the attribute can store a computed value.
    ///
    /// A required attribute can't store null, and a number may have too many digits for the attribute's type.
    func canKeep(derived value: StoredValue) -> Bool {
        value.isNull ? isOptional : value.converted(to: type) != nil
    }
}

extension RelatedRows.Link {
    /// The link without its position.
    fileprivate var end: RelatedRows.Link { RelatedRows.Link(owner: owner, target: target) }
}
