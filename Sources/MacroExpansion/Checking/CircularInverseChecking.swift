import SwiftDiagnostics
import SwiftSyntax

/// Finds relationships of one class that name each other, or themselves, by `\Class.property`.
///
/// Swift then reports a circular reference, as it reads the attribute of one property to know the type of the other. Between
/// two classes no macro sees both, so there only the documentation can help.
struct CircularInverseChecking {
    private let entity: EntityClass

    init(_ entity: EntityClass) {
        self.entity = entity
    }

    func mistakes() -> [Diagnostic] {
        var reported: Set<String> = []
        return entity.properties.compactMap { property in
            guard let inverse = rooted(property), let name = inverse.keyPathNames?.first,
                !reported.contains(name), let other = entity.properties.first(where: { $0.name == name }),
                rooted(other)?.keyPathNames == [property.name]
            else { return nil }
            reported.insert(property.name)
            return Diagnostic(
                .circularInverse(property.name, name), at: inverse,
                fix: .replace(inverse, by: "\\.\(name)", saying: "Leave the class out"))
        }
    }

    /// The inverse that a property names by a key path which begins with the entity's own class.
    private func rooted(_ property: EntityProperty) -> ExprSyntax? {
        guard let inverse = property.marker?.argument("inverse"), inverse.keyPathRoot == entity.name else {
            return nil
        }
        return inverse
    }
}
