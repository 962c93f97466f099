import ContextCore

/// Predicts the contents of a store after a migration in plain Swift, by the documented rules, without the library's migrations.
struct MigrationOracle {
    /// The expected result of a migration.
    enum Verdict {
        /// The migration must be refused, for this reason.
        case refused(String)
        case migrated(GraphState)
    }

    /// A loss of data, and the names by which the plan may report it.
    struct Loss {
        let sentence: String
        let paths: Set<String>
    }

    let old: ModelSketch
    let new: ModelSketch
    let conversions: [Int: SketchConversion]
    let before: GraphState
    private(set) var losses: [Loss] = []
    private var reasons: [String] = []
    private var after = GraphState()

    init(
        from old: ModelSketch, to new: ModelSketch, _ conversions: [Int: SketchConversion],
        _ before: GraphState
    ) {
        (self.old, self.new, self.conversions, self.before) = (old, new, conversions, before)
        checkTrees()
        checkTypes()
        for object in before.objects.values { checkEntity(object) }
        for (reference, object) in before.objects { carryOver(reference, object) }
        checkUnique()
        for index in new.associations.indices { link(new.associations[index]) }
        checkRequired()
        findLostLinks()
    }

    var verdict: Verdict { reasons.first.map(Verdict.refused) ?? .migrated(after) }
    var allReasons: [String] { reasons }

    // MARK: Models

    /// Checks that trees don't merge.
    private mutating func checkTrees() {
        let families = Dictionary(grouping: new.entities.filter { old.entity($0.id) != nil }) {
            new.root(of: $0.id)
        }
        for family in families.values where Set(family.map { old.root(of: $0.id) }).count > 1 {
            reasons.append("trees would merge")
        }
    }

    /// Checks that types change only without loss or with a conversion.
    private mutating func checkTypes() {
        for entity in new.entities {
            for attribute in entity.attributes {
                guard let was = old.attribute(attribute.id)?.attribute, was.type != attribute.type,
                    conversions[attribute.id] == nil, !Self.isWider(was.type, attribute.type)
                else { continue }
                reasons.append("no conversion of \(attribute.name) to \(attribute.type)")
            }
        }
    }

    private static func isWider(_ old: AttributeType, _ new: AttributeType) -> Bool {
        switch (old, new) {
        case (.int16, .int32), (.int16, .int64), (.int32, .int64), (.float, .double), (.int16, .double),
            (.int32, .double), (.url, .string), (.decimal, .decimal):
            true
        default: false
        }
    }

    private mutating func checkEntity(_ object: GraphState.Object) {
        if new.entity(object.entity)?.isAbstract == true { reasons.append("objects of an abstract entity") }
    }

    // MARK: Objects

    private func successor(_ reference: GraphState.Reference) -> GraphState.Reference? {
        guard let object = before.objects[reference], new.entity(object.entity) != nil else { return nil }
        return .init(root: new.root(of: object.entity), key: reference.key)
    }

    private mutating func carryOver(_ reference: GraphState.Reference, _ object: GraphState.Object) {
        guard let successor = successor(reference) else {
            let names = old.chain(object.entity).compactMap { old.entity($0)?.name }
            losses.append(Loss(sentence: "\(names[0]) \(reference) goes", paths: Set(names.prefix(1))))
            return
        }
        var kept = GraphState.Object(entity: object.entity)
        for attribute in new.attributes(of: object.entity) {
            kept.values[attribute.id] = value(of: attribute, object)
        }
        for end in new.ends(of: object.entity) { kept.links[end.id] = [] }
        after.objects[successor] = kept
        for (id, value) in object.values where kept.values[id] == nil && !value.isNull {
            losses.append(
                Loss(sentence: "attribute \(id) of \(reference)", paths: paths(ofProperty: id, object.entity))
            )
        }
    }

    private mutating func value(
        of attribute: ModelSketch.Attribute, _ object: GraphState.Object
    ) -> StoredValue {
        var value = object.values[attribute.id] ?? attribute.defaultValue ?? .null
        if let was = object.values[attribute.id] {
            if let conversion = conversions[attribute.id] {
                guard let converted = conversion.value(was, as: attribute.type) else {
                    reasons.append("\(was) can't become \(attribute.type)")
                    return .null
                }
                value = converted
            } else {
                value = Self.widened(was, to: attribute.type)
            }
        }
        if value.isNull, !attribute.isOptional {
            guard let given = attribute.defaultValue else {
                reasons.append("\(attribute.name) must have a value")
                return .null
            }
            value = given
        }
        return value
    }

    private static func widened(_ value: StoredValue, to type: AttributeType) -> StoredValue {
        if case .int(let number) = value, type == .double { return .double(Double(number)) }
        return value
    }

    private mutating func checkUnique() {
        for entity in new.entities {
            for attribute in entity.attributes where attribute.isUnique {
                let values = after.objects.values.filter { new.isKind($0.entity, of: entity.id) }
                    .compactMap { $0.values[attribute.id] }.filter { !$0.isNull }
                if Set(values).count < values.count { reasons.append("\(attribute.name) isn't unique") }
            }
        }
    }

    // MARK: Relationships

    private struct Origin {
        let association: Int
        let side: Int
    }

    /// Migrates the links of an association.
    private mutating func link(_ association: ModelSketch.Association) {
        let origins = association.sides.map { side in
            side.end.flatMap { old.place(ofEnd: $0.id) }.map {
                Origin(association: $0.association, side: $0.side)
            }
        }
        for side in 0..<2 {
            if let origin = origins[side] { checkEnd(association, side, origin) }
        }
        if let first = origins[0], let second = origins[1], first.association != second.association {
            reasons.append("two relationships with separate links became each other's inverse")
        }
        guard let side = [0, 1].first(where: { origins[$0] != nil }), let origin = origins[side] else {
            return
        }
        let links = links(of: old.associations[origin.association], origin.side)
        var kept: [(owner: GraphState.Reference, target: GraphState.Reference)] = []
        for link in links {
            guard let owner = successor(link.owner), let target = successor(link.target),
                isKind(owner, of: association.sides[side].entity),
                isKind(target, of: association.sides[1 - side].entity)
            else { continue }
            kept.append((owner, target))
        }
        add(kept, association.sides[side].end)
        add(kept.map { ($0.target, $0.owner) }, association.sides[1 - side].end)
    }

    /// Returns the links of an older association, seen from one of its ends.
    private func links(
        of association: ModelSketch.Association, _ side: Int
    ) -> [(owner: GraphState.Reference, target: GraphState.Reference)] {
        guard let end = association.sides[side].end else { return [] }
        return before.objects.flatMap { reference, object in
            (object.links[end.id] ?? []).map { (reference, $0) }
        }
    }

    private func isKind(_ reference: GraphState.Reference, of entity: Int) -> Bool {
        after.objects[reference].map { new.isKind($0.entity, of: entity) } ?? false
    }

    private mutating func checkEnd(_ association: ModelSketch.Association, _ side: Int, _ origin: Origin) {
        let was = old.associations[origin.association]
        guard let end = association.sides[side].end, let older = was.sides[origin.side].end else { return }
        if older.isToMany, !end.isToMany { reasons.append("\(end.name) was to-many") }
        let (from, to) = (was.sides[1 - origin.side].entity, association.sides[1 - side].entity)
        if from != to, new.entity(from) == nil || !new.isKind(from, of: to) {
            reasons.append("\(end.name) leads elsewhere")
        }
        let (before, after) = (was.sides[1 - origin.side].end, association.sides[1 - side].end)
        if end.isToMany, let after, before?.id != after.id, before != nil || !after.isToMany {
            reasons.append("\(end.name) has another inverse")
        }
    }

    private mutating func add(
        _ links: [(owner: GraphState.Reference, target: GraphState.Reference)], _ end: ModelSketch.End?
    ) {
        guard let end else { return }
        let wasOrdered = old.place(ofEnd: end.id).map {
            old.associations[$0.association].sides[$0.side].end?.isOrdered == true
        }
        for (owner, targets) in Dictionary(grouping: links, by: \.owner) {
            if !end.isToMany, targets.count > 1 { reasons.append("\(end.name) would have several members") }
            let list = targets.map(\.target)
            let ordered =
                end.isOrdered && wasOrdered == true ? inOlderOrder(list, owner, end) : list.sorted()
            after.objects[owner]?.links[end.id] = ordered
        }
    }

    private func inOlderOrder(
        _ targets: [GraphState.Reference], _ owner: GraphState.Reference, _ end: ModelSketch.End
    ) -> [GraphState.Reference] {
        let older = before.objects.first { successor($0.key) == owner }?.value.links[end.id] ?? []
        return older.compactMap(successor).filter(targets.contains)
    }

    /// Checks that required relationships have a member.
    private mutating func checkRequired() {
        for side in new.associations.flatMap(\.sides) {
            guard let end = side.end, !end.isToMany, !end.isOptional else { continue }
            let missing = after.objects.values.contains {
                new.isKind($0.entity, of: side.entity) && $0.links[end.id]?.isEmpty != false
            }
            if missing { reasons.append("\(end.name) is required") }
        }
    }

    // MARK: Losses

    private mutating func findLostLinks() {
        for association in old.associations {
            for side in association.sides {
                guard let end = side.end else { continue }
                for (reference, object) in before.objects {
                    guard let targets = object.links[end.id], let owner = successor(reference) else {
                        continue
                    }
                    let survivors = targets.compactMap(successor)
                    let kept = after.objects[owner]?.links[end.id] ?? []
                    // The links of a deleted object are deleted with it.
                    if Set(survivors).isSubset(of: kept) { continue }
                    let names = association.sides.compactMap(\.end).flatMap { paths(ofEnd: $0.id) }
                    losses.append(Loss(sentence: "\(end.name) of \(reference)", paths: Set(names)))
                }
                loseOrder(of: end)
            }
        }
    }

    private mutating func loseOrder(of end: ModelSketch.End) {
        guard end.isOrdered, let place = new.place(ofEnd: end.id),
            new.associations[place.association].sides[place.side].end?.isOrdered == false,
            before.objects.values.contains(where: { $0.links[end.id]?.isEmpty == false })
        else { return }
        losses.append(Loss(sentence: "the order of \(end.name)", paths: paths(ofEnd: end.id)))
    }

    /// Returns the names by which the loss of a property may be reported for an entity.
    private func paths(ofProperty id: Int, _ entity: Int) -> Set<String> {
        let names = [old, new].flatMap { sketch in
            sketch.entities.compactMap { sketch.propertyNames(declaredBy: $0.id)[id] }
        }
        let entities = old.chain(entity) + new.chain(entity)
        let owners = entities.compactMap { new.entity($0)?.name }
        let gone = entities.filter { new.entity($0) == nil }.compactMap { old.entity($0)?.name }
        return Set(owners.flatMap { owner in names.map { "\(owner).\($0)" } } + gone)
    }

    private func paths(ofEnd id: Int) -> Set<String> {
        let names = [old, new].flatMap { sketch in
            sketch.entities.compactMap { sketch.propertyNames(declaredBy: $0.id)[id] }
        }
        return Set(new.entities.flatMap { entity in names.map { "\(entity.name).\($0)" } })
    }
}
