import ContextCore

/// What a reference or a link points to.
enum RelationshipTarget {
    /// An object of the entity that the model requires, or of one of its subentities.
    case object
    /// An object of another entity of the inheritance tree, with that entity's index in the model.
    case wrongEntity(Int)
    /// No object.
    case missing
}

extension StoreChecker {
    /// Looks up the object that a reference with a key points to, given the entity that the model requires.
    mutating func resolveTarget(_ key: Int64, of entity: EntityLayout) throws -> RelationshipTarget {
        guard let found = try entityIndicesByKey(entity.rootIndex)[key] else { return .missing }
        return entity.familyIndices.contains(found) ? .object : .wrongEntity(found)
    }

    /// Describes a target in the message of a finding: its name and, if it is invalid, the reason.
    func text(_ end: RelationshipTarget, _ key: Int64, _ entity: EntityLayout) -> String {
        switch end {
        case .object: "\(entity.name):\(key)"
        case .wrongEntity(let found):
            "\(model.layouts[found].name):\(key), which is not an object of \(entity.name)"
        case .missing: "\(entity.name):\(key), which does not exist"
        }
    }

    // MARK: One-to-one

    /// Finds objects whose one-to-one destination doesn't refer back to them.
    mutating func checkInverse(of property: PropertyLayout, _ batch: RowBatch, _ entity: EntityLayout) throws
    {
        guard kinds.contains(.inverses), let relationship = property.relationship,
            !relationship.inverseIsToMany, let column = property.columns.first,
            let inverseSlot = relationship.inverseSlot
        else { return }
        let destination = model.layouts[relationship.destinationIndex]
        let inverse = destination.properties[inverseSlot]
        guard let back = inverse.columns.first else { return }
        var targets: [Int64: Int64] = [:]
        for row in 0..<batch.count {
            guard case .int(let target) = batch.value(column, at: row) else { continue }
            // `checkReferences` reports references to missing objects and to objects of another entity.
            if case .object = try resolveTarget(target, of: destination) {
                targets[batch.key(at: row)] = target
            }
        }
        if targets.isEmpty { return }
        var referredBack: [Int64: Int64] = [:]
        try session.forEachBatch(of: Set(targets.values).sorted(), entityIndex: destination.index) {
            _, rows in
            for row in 0..<rows.count {
                if case .int(let key) = rows.value(back, at: row) { referredBack[rows.key(at: row)] = key }
            }
        }
        let source = model.layouts[relationship.sourceIndex]
        for (key, target) in targets.sorted(by: { $0.key < $1.key }) where referredBack[target] != key {
            let other = try referredBack[target].map { text(try resolveTarget($0, of: source), $0, source) }
            recordFinding(
                .inverses, entity, key, property.name,
                "refers to \(destination.name):\(target), whose \(inverse.name) refers to \(other ?? "no object")",
                .inverse(
                    RowLocation(entityIndex: entity.index, key: key), slot: property.slot, target: target))
        }
    }

    // MARK: To-many

    mutating func checkLinks(
        _ owners: [Int64], _ property: PropertyLayout, _ entity: EntityLayout
    ) throws {
        guard let relationship = property.relationship, relationship.description.isToMany else { return }
        let description = relationship.description
        let (minimumCount, maximumCount) = (description.minimumCount ?? 0, description.maximumCount ?? .max)
        let isCounted = kinds.contains(.counts) && (minimumCount > 0 || maximumCount < .max)
        let isOrdered = kinds.contains(.order) && description.isOrdered
        let isLinked = kinds.contains(.orphans) && relationship.isManyToMany
        let isMirrored = kinds.contains(.inverses) && relationship.isOwnInverse(property.slot)
        guard isCounted || isOrdered || isLinked || isMirrored else { return }
        let links = try links(of: owners, property, entity)
        for owner in owners where !hasReachedLimit {
            let own = links[owner] ?? []
            if isCounted, own.count < minimumCount || own.count > maximumCount {
                recordFinding(
                    .counts, entity, owner, property.name,
                    "has \(own.count.counted("object", "objects")), but must have \(minimumCount)…\(maximumCount == .max ? "" : String(maximumCount))"
                )
            }
            if isOrdered, Set(own.map(\.position)).count < own.count {
                recordFinding(
                    .order, entity, owner, property.name, "has two objects at the same position",
                    .order(entityIndex: relationship.sourceIndex, slot: property.slot, owner: owner))
            }
            if isLinked { try checkTargets(own, relationship, property, entity) }
        }
        if isMirrored { try checkMirror(links, property, entity) }
    }

    func links(
        of owners: [Int64], _ property: PropertyLayout, _ entity: EntityLayout
    ) throws -> [Int64: [RelatedRows.Link]] {
        let plan = RelatedPlan(
            entityIndex: entity.index, slot: property.slot, owners: owners, includesRows: false)
        return Dictionary(grouping: try session.related(plan).links, by: \.owner)
    }

    private mutating func checkTargets(
        _ links: [RelatedRows.Link], _ relationship: RelationshipLayout, _ property: PropertyLayout,
        _ entity: EntityLayout
    ) throws {
        let destination = model.layouts[relationship.destinationIndex]
        for link in links {
            let end = try resolveTarget(link.target, of: destination)
            if case .object = end { continue }
            recordFinding(
                .orphans, entity, link.owner, property.name,
                "is linked to \(text(end, link.target, destination))",
                .link(entityIndex: relationship.sourceIndex, slot: property.slot, link))
        }
    }

    /// Finds links of a relationship that is its own inverse where the link in the other direction is missing.
    private mutating func checkMirror(
        _ links: [Int64: [RelatedRows.Link]], _ property: PropertyLayout, _ entity: EntityLayout
    ) throws {
        let own = links.values.joined()
        var pairs = Set(own.map { RelatedRows.Link(owner: $0.owner, target: $0.target) })
        let others = Set(own.map(\.target)).subtracting(links.keys)
        for link in try self.links(of: others.sorted(), property, entity).values.joined() {
            pairs.insert(RelatedRows.Link(owner: link.owner, target: link.target))
        }
        for (owner, own) in links.sorted(by: { $0.key < $1.key }) {
            for link in own where !pairs.contains(RelatedRows.Link(owner: link.target, target: owner)) {
                guard
                    case .object = try resolveTarget(
                        link.target, of: entity.declaringEntity(of: property.slot, in: model))
                else { continue }
                recordFinding(
                    .inverses, entity, owner, property.name,
                    "is linked to \(entity.name):\(link.target), which isn't linked back",
                    .mirror(
                        entityIndex: entity.declaringEntity(of: property.slot, in: model).index,
                        slot: property.slot,
                        link))
            }
        }
    }

    /// Finds links with two invalid ends: the owner's entity doesn't have the relationship, and the target is missing or of a wrong entity.
    ///
    /// If only the owner is invalid, the check of the target's inverse relationship reports the link.
    mutating func checkStrayLinks(declaredBy entity: EntityLayout) throws {
        guard kinds.contains(.orphans), entity.rootIndex != entity.index else { return }
        for property in entity.properties {
            guard let relationship = property.relationship, relationship.sourceIndex == entity.index,
                relationship.isManyToMany
            else { continue }
            let isListing = relationship.isLinkOwner(in: model, slot: property.slot)
            let destination = model.layouts[relationship.destinationIndex]
            let strays = try entityIndicesByKey(entity.rootIndex).filter {
                !entity.familyIndices.contains($0.value)
            }
            for chunk in strays.keys.sorted().chunks(ofCount: KeyChunks.defaultSize) where !hasReachedLimit {
                for (owner, own) in try links(of: Array(chunk), property, entity).sorted(by: {
                    $0.key < $1.key
                }) {
                    guard let found = strays[owner] else { continue }
                    for link in own {
                        let end = try resolveTarget(link.target, of: destination)
                        switch end {
                        case .object: continue
                        // If both ends are wrong, only the check of the listing end reports the link.
                        case .wrongEntity where !isListing: continue
                        default: break
                        }
                        recordFinding(
                            .orphans, model.layouts[found], owner, property.name,
                            "is not an object of \(entity.name), but is linked to \(text(end, link.target, destination))",
                            .link(entityIndex: entity.index, slot: property.slot, link))
                    }
                }
            }
        }
    }
}

extension RelationshipLayout {
    /// Whether the relationship is its own inverse, given its slot in its entity.
    fileprivate func isOwnInverse(_ slot: Int) -> Bool {
        isManyToMany && inverseSlot == slot && sourceIndex == destinationIndex
    }
}
