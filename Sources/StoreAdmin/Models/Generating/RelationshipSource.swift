import ContextCore

/// The Swift source of a relationship.
struct RelationshipSource {
    let relationship: RelationshipDescription
    /// The name of the entity that declares it.
    let entity: String
    /// The inverse, if there is one.
    let inverse: RelationshipDescription?
    let types: GeneratedTypes

    var property: PropertySource {
        let destination = types.className(relationship.destinationName)
        let type =
            if !relationship.isToMany {
                destination + (relationship.isOptional ? "?" : "")
            } else {
                relationship.isOrdered ? "[\(destination)]" : "Set<\(destination)>"
            }
        return PropertySource(
            comments: ["/// \(documentation)"],
            marker: arguments.isEmpty ? nil : .call("@Relationship(", arguments, ")"),
            declaration: "var \(SwiftText.name(relationship.name)): \(type)")
    }

    private var arguments: [SwiftCode] {
        let arguments: [SwiftCode?] = [
            relationship.deleteRule == .nullify
                ? nil : .text("deleteRule: .\(relationship.deleteRule.rawValue)"),
            inverseArgument.map(SwiftCode.text),
            relationship.minimumCount.map { .text("minimumCount: \($0)") },
            relationship.maximumCount.map { .text("maximumCount: \($0)") },
            relationship.renamingIdentifier.map {
                .labeled("renamedFrom:", .text(SwiftText.literal($0)))
            },
            relationship.versionHashModifier.map {
                .labeled("hashModifier:", .text(SwiftText.literal($0)))
            },
        ]
        return arguments.compactMap(\.self)
    }

    /// The argument that names the inverse; nil if the inverse names this relationship instead.
    ///
    /// A to-many relationship must name its inverse. If both name each other, Swift needs one of the key paths without a class.
    private var inverseArgument: String? {
        guard let inverse else { return nil }
        guard relationship.isToMany || !inverse.isToMany && isFirst(of: inverse) else { return nil }
        let namesClass = !inverse.isToMany || isFirst(of: inverse)
        let path = SwiftText.keyPath(inverse.name)
        guard namesClass, !isOwnInverse(inverse) else { return "inverse: \(path)" }
        return #"inverse: \"# + types.className(relationship.destinationName) + path.dropFirst()
    }

    private func isOwnInverse(_ inverse: RelationshipDescription) -> Bool {
        inverse.name == relationship.name && relationship.destinationName == entity
    }

    /// Whether the relationship is its own inverse, or before it by the names of entity and property.
    private func isFirst(of inverse: RelationshipDescription) -> Bool {
        (entity, relationship.name) <= (relationship.destinationName, inverse.name)
    }

    private var documentation: String {
        let destination = relationship.destinationName
        guard let inverse else { return "A reference to a `\(destination)`, without an inverse." }
        let verb = inverse.isToMany ? "include" : "is"
        return relationship.isToMany
            ? "The `\(destination)` objects whose `\(inverse.name)` \(verb) this object."
            : "The `\(destination)` whose `\(inverse.name)` \(verb) this object."
    }
}
