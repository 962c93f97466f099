import SwiftDiagnostics
import SwiftSyntax

/// Finds relationships of one class that name each other, or themselves, as inverses by `\Class.property`.
///
/// Swift reports them as a circular reference, because it needs the attribute of one property to determine the type of the
/// other. A macro sees only one class, so relationships between two classes can't be checked.
struct CircularInverseChecking {
    private let entity: EntityClass

    init(_ entity: EntityClass) {
        self.entity = entity
    }

    func diagnostics() -> [Diagnostic] {
        var reported: Set<String> = []
        return entity.properties.compactMap { property in
            guard let inverse = qualifiedInverse(property), let name = inverse.keyPathNames?.first,
                !reported.contains(name), let other = entity.properties.first(where: { $0.name == name }),
                qualifiedInverse(other)?.keyPathNames == [property.name]
            else { return nil }
            reported.insert(property.name)
            return Diagnostic(
                .circularInverse(property.name, name), at: inverse,
                fix: .replace(inverse, by: "\\.\(name)", saying: "Remove the class name"))
        }
    }

    /// Returns the inverse of a property if its key path starts with the entity's own class.
    private func qualifiedInverse(_ property: EntityProperty) -> ExprSyntax? {
        guard let inverse = property.marker?.argument("inverse"), inverse.keyPathRoot == entity.name else {
            return nil
        }
        return inverse
    }
}
