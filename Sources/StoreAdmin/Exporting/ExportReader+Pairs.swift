import ContextCore

extension ExportReader {
    /// The rows of an export, by entity.
    typealias Rows = [Int: [(key: Int64, version: Int64, values: [Int: StoredValue])]]

    /// Throws if an object of a one-to-one relationship doesn't refer back to the object that refers to it.
    ///
    /// The store reports a reference to an object that isn't in the export.
    func checkPairs(_ rows: Rows) throws(AdminError) {
        for layout in model.layouts {
            for property in layout.properties {
                guard let relationship = property.relationship, !relationship.description.isToMany,
                    !relationship.inverseIsToMany, let column = property.columns.first,
                    let inverseSlot = relationship.inverseSlot
                else { continue }
                let destination = model.layouts[relationship.destinationIndex]
                let inverse = destination.properties[inverseSlot]
                guard let back = inverse.columns.first else { continue }
                let backReferences = references(in: back, of: destination, rows)
                for row in rows[layout.index] ?? [] {
                    guard case .int(let target)? = row.values[column], let source = backReferences[target],
                        source != .int(row.key)
                    else { continue }
                    throw disagreementError(
                        "\(layout.name):\(row.key)", property, at: lineNumbers[layout.rootIndex]?[row.key],
                        "\(destination.name):\(target)", inverse,
                        at: lineNumbers[destination.rootIndex]?[target],
                        refersTo: source, model.layouts[relationship.sourceIndex])
                }
            }
        }
    }

    /// Returns the values of a reference column by the objects' keys, for an entity and its subentities.
    private func references(
        in column: Int, of entity: EntityLayout, _ rows: Rows
    ) -> [Int64: StoredValue] {
        var references: [Int64: StoredValue] = [:]
        for index in entity.familyIndices {
            for row in rows[index] ?? [] { references[row.key] = row.values[column] ?? .null }
        }
        return references
    }

    private func disagreementError(
        _ object: String, _ property: PropertyLayout, at line: Int?, _ target: String,
        _ inverse: PropertyLayout, at targetLine: Int?, refersTo value: StoredValue, _ source: EntityLayout
    ) -> AdminError {
        let location = line.map { ":\($0)" } ?? ""
        let other = targetLine.map { " (line \($0))" } ?? ""
        var back = "no object"
        if case .int(let key) = value { back = "\(source.name):\(key)" }
        return .badData(
            "\(name)\(location): \(object).\(property.name) refers to \(target), but \(target).\(inverse.name)\(other) refers to "
                + "\(back).",
            hint: "Write the references at both ends of a one-to-one relationship.")
    }
}
