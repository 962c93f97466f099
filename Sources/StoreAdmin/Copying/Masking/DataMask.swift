import ContextCore

/// The rules by which values are masked when objects are copied.
///
/// A masked value depends only on the seed, the property and the value, so that equal values stay equal on every backend.
struct DataMask {
    /// The change of one column.
    private struct Change {
        /// The column whose value is the argument of the change.
        let source: Int
        let column: Int
        let change: @Sendable (StoredValue) -> StoredValue
    }

    /// The names of the masked properties with their rules, sorted.
    let names: [String]
    private let model: ObjectModel
    /// The changes by the index of the entity; a column comes after those that it is derived from.
    private var changes: [Int: [Change]] = [:]

    /// - Parameter rules: The names of rules by the names of properties: `["Player.name": "fake"]`.
    /// - Throws: ``AdminError`` if a name is unknown, or a rule can't be applied to a property.
    init(_ rules: [String: String], _ model: ObjectModel, seed: Int) throws {
        self.model = model
        let ordered = rules.sorted { $0.key < $1.key }
        names = ordered.map { "\($0.key) (\($0.value))" }
        let targets = try ordered.map { try MaskTarget($0.key, rule: $0.value, in: model) }
        for target in targets {
            for column in target.columns {
                let change = try target.change(of: column, in: model, seed: seed)
                for index in target.entity.familyIndices {
                    changes[index, default: []].append(
                        Change(source: column.index, column: column.index, change: change))
                }
            }
        }
        try addDerivedAttributes()
    }

    /// Whether there are no rules.
    var isEmpty: Bool { changes.isEmpty }

    /// Returns rows with masked values.
    func masked(_ rows: RowBatch) throws -> RowBatch {
        if isEmpty { return rows }
        var builder = RowBatchBuilder(model: model)
        for row in 0..<rows.count {
            builder.append(row, of: rows)
            var masked: [Int: StoredValue] = [:]
            for change in changes[rows.entityIndex(at: row)] ?? [] {
                let value = masked[change.source] ?? rows.value(change.source, at: row)
                if value.isNull, change.source == change.column { continue }
                let new = value.isNull ? .null : change.change(value)
                masked[change.column] = new
                builder.set(change.column, to: new)
            }
        }
        return try builder.finish()
    }

    // MARK: Derived attributes

    /// Masks the derived attributes that contain values of masked properties.
    ///
    /// Those of the same object are computed from its masked values; a copy of another object's value is masked like the value.
    private mutating func addDerivedAttributes() throws {
        for layout in model.layouts {
            for (slot, derivation) in layout.derivations {
                let property = layout.properties[slot]
                guard !isMasked(property, of: layout), let source = self.source(of: derivation, in: layout),
                    let origin = source.layout.familyIndices.first(where: {
                        isMasked(source.property, of: model.layouts[$0])
                    })
                else { continue }
                let finish = derivation.expression.finish
                let (from, column) = (source.property.columns.lowerBound, property.columns.lowerBound)
                if source.layout === layout, !derivation.readsRelationships {
                    changes[layout.index, default: []].append(
                        Change(source: from, column: column, change: finish))
                } else if case .copy = derivation,
                    let change = changes[origin]?.first(where: { $0.column == from })?.change
                {
                    changes[layout.index, default: []].append(
                        Change(source: column, column: column, change: change))
                } else {
                    let name = "\(layout.name).\(property.name)"
                    throw AdminError.usage(
                        "\(name) is derived from \(source.layout.name).\(source.property.name), and would show its values.",
                        hint: "Mask it too, such as with --mask \("\(name)=hash".shellQuoted).")
                }
            }
        }
    }

    private func isMasked(_ property: PropertyLayout, of layout: EntityLayout) -> Bool {
        (changes[layout.index] ?? []).contains { property.columns.contains($0.column) }
    }

    /// Returns the attribute that a derivation reads; nil for a count and the time of the last save.
    private func source(
        of derivation: Derivation, in layout: EntityLayout
    ) -> (layout: EntityLayout, property: PropertyLayout)? {
        let names: [String] =
            switch derivation {
            case .lowercased(let path), .canonical(let path), .copy(let path):
                path.split(separator: ".").map(String.init)
            case .sum(let members, let name), .minimum(let members, let name),
                .maximum(let members, let name):
                [members, name]
            case .count, .now: []
            }
        var layout = layout
        for name in names.dropLast() {
            guard let relationship = layout.property(named: name)?.relationship else { break }
            layout = model.layouts[relationship.destinationIndex]
        }
        return names.last.flatMap { layout.property(named: $0) }.map { (layout, $0) }
    }
}
