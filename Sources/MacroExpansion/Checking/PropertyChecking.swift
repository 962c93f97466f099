import SwiftDiagnostics
import SwiftSyntax

/// Finds errors in a property's type, its attribute's arguments and its initial value.
struct PropertyChecking {
    let property: EntityProperty

    init(_ property: EntityProperty) {
        self.property = property
    }

    func diagnostics() -> [Diagnostic] {
        let typeDiagnostics =
            isEncoded
            ? []
            : implicitUnwrappingDiagnostics() + unsupportedTypeDiagnostics() + collectionDiagnostics()
                + toOneDiagnostics()
        return typeDiagnostics + twoDefaultsDiagnostics() + transientDiagnostics() + derivedDiagnostics()
    }

    var name: String { property.name }
    var type: PropertyType { property.type }

    /// Whether the value is stored as JSON or transformed, so that it can have any type.
    private var isEncoded: Bool { property.isCodable || property.transformer != nil }

    private func implicitUnwrappingDiagnostics() -> [Diagnostic] {
        guard let unwrapped = type.syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return [] }
        let fix = FixIt.replace(unwrapped.exclamationMark, by: "?", saying: "Make it optional")
        return [Diagnostic(.implicitlyUnwrapped(name), at: unwrapped.exclamationMark, fix: fix)]
    }

    private func unsupportedTypeDiagnostics() -> [Diagnostic] {
        switch type.form {
        case .other:
            return [Diagnostic(.unsupportedType(type.text, remedy: nil), at: type.syntax)]
        case .named(let typeName):
            guard let remedy = StandardTypes.remedy(for: typeName) else { return [] }
            return [
                Diagnostic(
                    .unsupportedType(type.text, remedy: remedy), at: type.syntax,
                    fix: StandardTypes.replacement(for: typeName).map(typeFixIt))
            ]
        case .set, .array, .dictionary: return []
        }
    }

    private func typeFixIt(by name: String) -> FixIt {
        .replace(type.syntax, by: type.isOptional ? "\(name)?" : name, saying: "Use \(name)")
    }

    private func collectionDiagnostics() -> [Diagnostic] {
        if type.isToMany { return RelationshipChecking(property).toManyDiagnostics() }
        switch type.form {
        case .named, .other: return []
        case .set, .array, .dictionary:
            if property.marker?.kind == .relationship {
                return [Diagnostic(.valueAsRelationship(name, type: type.text), at: type.syntax)]
            }
            return [Diagnostic(.uncodedCollection(type.text), at: type.syntax, fix: property.codableFix)]
        }
    }

    private func toOneDiagnostics() -> [Diagnostic] {
        guard case .named = type.form, property.marker?.kind == .relationship else { return [] }
        return RelationshipChecking(property).toOneDiagnostics()
    }

    private func twoDefaultsDiagnostics() -> [Diagnostic] {
        guard let argument = property.marker?.argument("default"), property.initialValue != nil else {
            return []
        }
        let fix = property.marker.map { FixIt.remove("default", from: $0.syntax) }
        return [Diagnostic(.twoDefaults(name), at: argument, fix: fix)]
    }

    private func transientDiagnostics() -> [Diagnostic] {
        guard property.isTransient, property.defaultValue == nil, !type.isOptional else { return [] }
        let fix = FixIt.replace(
            type.syntax, by: "\(type.text) = <#value#>", saying: "Add an initial value")
        return [Diagnostic(.transientWithoutDefault(name), at: type.syntax, fix: fix)]
    }

    private func derivedDiagnostics() -> [Diagnostic] {
        guard property.isDerived, let value = property.initialValue else { return [] }
        return [Diagnostic(.derivedDefault(name), at: value)]
    }
}

extension EntityProperty {
    /// A fix-it that adds `@Attribute(.codable)`; nil if the property has another marker.
    var codableFix: FixIt? {
        switch marker?.kind {
        case nil: .add("@Attribute(.codable)", to: declaration)
        case .attribute: marker.map { .add(".codable", to: $0.syntax) { _ in false } }
        case .relationship, .transient, .derived: nil
        }
    }
}
