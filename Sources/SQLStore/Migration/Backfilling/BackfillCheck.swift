import ContextCore

/// Checks conversions and stages before the migration starts.
struct BackfillCheck {
    private let transition: ModelTransition
    private let schema: SchemaTransition

    init(_ transition: ModelTransition, _ schema: SchemaTransition) {
        self.transition = transition
        self.schema = schema
    }

    /// - Parameter fills: The steps of the conversions and of the stages.
    /// - Throws: `StoreError.Code.migrationRefused` if one names a missing property or can't be parsed.
    func check(_ fills: [MigrationStep]) throws(StoreError) {
        for path in transition.to.hints.conversions.keys.sorted(by: { $0.precedesByBytes($1) }) {
            try check(path, "conversion")
        }
        for stage in transition.to.stages {
            for path in stage.paths { try check(path, "stage") }
        }
        try checkInverses()
        for case .fill(let fill) in fills.map(\.work) {
            if !fill.stage.isEmpty {
                _ = try StageBackfill(fill, schema)
                continue
            }
            do {
                try RowBackfill(fill, schema).check()
            } catch {
                let reason = (error as? StoreError)?.message ?? "\(error)"
                let names = fill.conversions.sortedByBytes(of: \.key).map { "\(fill.entityName).\($0.key)" }
                throw StoreError(
                    .migrationRefused,
                    "The conversion of \(names.joined(separator: ", ")) can't be used. \(reason)",
                    remedy: "Correct the conversion. Nothing was changed.", cause: error)
            }
        }
    }

    /// Checks that a path names the entity that declares the attribute, so that the backfill covers all entities that inherit it.
    private func check(_ path: String, _ kind: String) throws(StoreError) {
        let part = ModelPart(path)
        guard let layout = schema.new.model.layout(named: part.entity),
            let property = part.property.flatMap({ layout.property(named: $0) })
        else {
            throw Self.refusalError(
                "The newer model has no \(path), which a \(kind) fills.", "Correct the \(kind)")
        }
        let declaring = layout.declaringEntity(of: property.slot, in: schema.new.model)
        if declaring.name != layout.name {
            let subject = property.relationship == nil ? "an attribute" : "a relationship"
            throw Self.refusalError(
                "\(path) is \(subject) of \(declaring.name).",
                "Name \(declaring.name).\(property.name) in the \(kind)")
        }
        if kind == "stage", property.relationship != nil { return }
        guard property.attribute?.storage == .stored else {
            throw Self.refusalError(
                "\(path) is not a stored attribute, so a \(kind) can't fill it.", "Correct the \(kind)")
        }
    }

    /// Checks that stages fill only one of a relationship and its inverse; the store derives the other one.
    private func checkInverses() throws(StoreError) {
        let links = schema.pendingLinks
        for (index, filled) in links.enumerated() {
            if filled.isOwnInverse, !filled.isToMany {
                throw Self.refusalError(
                    "\(filled.path) is a to-one relationship that is its own inverse, so a stage can't fill it.",
                    "Correct the stage")
            }
            if filled.isOwnInverse, filled.relationship.description.isOrdered {
                throw Self.refusalError(
                    "\(filled.path) is an ordered relationship that is its own inverse, so a stage can't fill it.",
                    "Correct the stage")
            }
            if links[(index + 1)...].contains(where: { $0.path == filled.path }) {
                throw Self.refusalError("Stages fill \(filled.path) more than once.", "Fill it once")
            }
            if let inverse = filled.inverse, !schema.existedBefore(filled.property, of: filled.entity),
                schema.existedBefore(inverse.property, of: inverse.entity)
            {
                throw Self.refusalError(
                    "A stage fills \(filled.path), but the older model has only its inverse.",
                    "Fill \(inverse.entity.layout.name).\(inverse.property.name) instead")
            }
            guard let inverse = filled.inverse, !filled.isOwnInverse,
                let other = links[(index + 1)...].first(where: {
                    $0.direction(inverse.property, of: inverse.entity.layout) == .own
                })
            else { continue }
            throw Self.refusalError(
                "Stages fill \(filled.path) and its inverse, \(other.path).", "Fill only one of them")
        }
    }

    private static func refusalError(_ sentence: String, _ remedy: String) -> StoreError {
        StoreError(.migrationRefused, sentence, remedy: "\(remedy). Nothing was changed.")
    }
}
