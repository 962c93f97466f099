import ContextCore

/// The property that a column of an imported file sets.
///
/// It is a class because each row refers to several.
final class ImportTarget: Sendable {
    enum Kind: Sendable {
        /// A value of an attribute, or of a part of a composite.
        case attribute(AttributeDescription)
        /// A reference to the object of an entity that has a value of a unique attribute.
        case reference(to: EntityLayout, column: Int, AttributeDescription)
    }

    /// The name of the property; `game.title` for a reference to the game with a title.
    let path: String
    /// The column of the entity.
    let column: Int
    let kind: Kind
    /// The attribute whose values the file contains.
    let attribute: AttributeDescription

    init(path: String, column: Int, kind: Kind) {
        self.path = path
        self.column = column
        self.kind = kind
        switch kind {
        case .attribute(let attribute), .reference(_, _, let attribute): self.attribute = attribute
        }
    }
}

/// Finds the properties for the names of columns in a file.
struct ImportTargets {
    private let entity: EntityLayout
    private let model: ObjectModel
    /// The properties by the names of columns that the caller maps; an empty property leaves the column out.
    private let map: [String: String]

    /// The columns of a reject file, which aren't imported.
    static let rejectColumns: Set<String> = ["_line", "_reason", "_text"]

    init(_ entity: EntityLayout, in model: ObjectModel, map: [String: String]) {
        self.entity = entity
        self.model = model
        self.map = map
    }

    /// Returns the target of a column; nil if it is left out.
    ///
    /// Without a mapping, a column belongs to the property with its name, or else to the only one whose name has the same letters and
    /// digits: `E-Mail` belongs to `email`.
    func target(_ name: String) throws(AdminError) -> ImportTarget? {
        if let path = map[name] { return path.isEmpty ? nil : try target(path: path, name) }
        if Self.rejectColumns.contains(name) { return nil }
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let rest = parts.count > 1 ? "." + parts[1] : ""
        if entity.property(named: parts[0]) != nil { return try target(path: name, name) }
        let alike = entity.properties.filter { Self.letters($0.name) == Self.letters(parts[0]) }
        guard alike.count == 1 else { throw unknownColumnError(name) }
        return try target(path: alike[0].name + rest, name)
    }

    private static func letters(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private func target(path: String, _ name: String) throws(AdminError) -> ImportTarget {
        let parts = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard let property = entity.property(named: parts[0]) else { throw unknownColumnError(name, path) }
        let part = parts.count > 1 ? parts[1] : nil
        switch property.kind {
        case .attribute(let attribute):
            return try attributeTarget(path, property, attribute, part: part)
        case .relationship(let relationship):
            return try referenceTarget(path, property, relationship, unique: part)
        }
    }

    private func attributeTarget(
        _ path: String, _ property: PropertyLayout, _ attribute: AttributeDescription, part: String?
    ) throws(AdminError) -> ImportTarget {
        switch attribute.storage {
        case .stored: break
        case .transient: throw unusableError(path, "it is transient, so it isn't stored")
        case .derived: throw unusableError(path, "it is derived, so the store computes it")
        }
        if attribute.transformerName != nil { throw unusableError(path, "it has a value transformer") }
        guard case .composite(let parts) = attribute.type else {
            if let part { throw unusableError(path, "it has no part “\(part)”") }
            return ImportTarget(path: path, column: property.columns.lowerBound, kind: .attribute(attribute))
        }
        let column = property.columns.first { entity.columns[$0].name == path }
        guard let column, let found = parts.first(where: { $0.name == part }) else {
            throw unusableError(
                path, "it is a composite, so each of its parts is a column",
                hint: "Its parts are \(parts.map { "\(attribute.name).\($0.name)" }.joined(separator: ", "))."
            )
        }
        return ImportTarget(path: path, column: column, kind: .attribute(found))
    }

    private func referenceTarget(
        _ path: String, _ property: PropertyLayout, _ relationship: RelationshipLayout, unique: String?
    ) throws(AdminError) -> ImportTarget {
        guard let column = property.columns.first else {
            throw unusableError(
                path, "it is a to-many relationship",
                hint:
                    "Import the objects of \(relationship.description.destinationName), which refer to this one."
            )
        }
        if relationship.inverseSlot != nil, !relationship.inverseIsToMany {
            throw unusableError(path, "it is a one-to-one relationship")
        }
        let destination = model.layouts[relationship.destinationIndex]
        let names = Self.uniqueAttributes(of: destination)
        guard let unique, names.contains(unique), let key = destination.property(named: unique),
            let attribute = key.attribute
        else {
            throw unusableError(
                path, "a reference needs a unique attribute of \(destination.name)",
                hint: names.isEmpty
                    ? "\(destination.name) has no unique attribute."
                    : "Name the column \(names.map { "\(property.name).\($0)" }.joined(separator: " or ")).")
        }
        return ImportTarget(
            path: path, column: column,
            kind: .reference(to: destination, column: key.columns.lowerBound, attribute))
    }

    /// Returns the attributes that are unique by themselves, sorted.
    static func uniqueAttributes(of entity: EntityLayout) -> [String] {
        let single = entity.uniqueConstraints.filter { $0.names.count == 1 }.map { $0.names[0] }
        return Set(single.filter { entity.property(named: $0)?.attribute != nil }).sorted()
    }

    private func unknownColumnError(_ name: String, _ path: String? = nil) -> AdminError {
        let near = Spelling.nearest(to: path ?? name, among: entity.properties.map(\.name))
        let map = "--map \("\(name)=\(near ?? "property")".shellQuoted)"
        return .badData(
            "\(entity.name) has no property “\(path ?? name)”.",
            hint: "Map the column with \(map), or leave it out with --map \("\(name)=".shellQuoted).")
    }

    private func unusableError(_ path: String, _ reason: String, hint: String? = nil) -> AdminError {
        .badData("the column \(entity.name).\(path) can't be imported: \(reason).", hint: hint)
    }
}
