import SwiftDiagnostics
import SwiftSyntax

/// Finds what is wrong with the key paths that name an entity's own properties: in `@Derived` and in `@Entity` itself.
struct PathChecking {
    private let entity: EntityClass
    private let known: Set<String>

    init(_ entity: EntityClass) {
        self.entity = entity
        known = Set(entity.properties.map(\.name))
    }

    func mistakes() -> [Diagnostic] {
        let derived = entity.properties.filter(\.isDerived).flatMap { property in
            // Options of the attribute, such as `.decimal(precision: 10, scale: 2)`, come behind the derivation.
            (property.marker?.options.first).map(ofDerivation) ?? []
        }
        return derived
            + ["indexes", "unique"].flatMap { label in
                entity.attribute.argument(label).map(ofIndexes) ?? []
            }
    }

    /// The first path begins at the entity; a second one begins at the class that the first leads to.
    private func ofDerivation(_ expression: ExprSyntax) -> [Diagnostic] {
        guard let call = expression.as(FunctionCallExprSyntax.self) else { return [] }
        let foreign = call.arguments.filter { $0.expression.keyPathNames == nil }
        guard foreign.isEmpty else {
            return foreign.map { Diagnostic(.pathNotKeyPath("Derived"), at: $0.expression) }
        }
        return call.arguments.prefix(1).flatMap { ofPath($0.expression) }
    }

    private func ofIndexes(_ expression: ExprSyntax) -> [Diagnostic] {
        if let array = expression.as(ArrayExprSyntax.self) {
            return array.elements.flatMap { ofIndexes($0.expression) }
        }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            return call.arguments.filter { $0.label == nil }.flatMap { ofIndexes($0.expression) }
        }
        return ofPath(expression)
    }

    /// What a superclass declares can't be seen from here, so only an entity without superentity is certain.
    private func ofPath(_ expression: ExprSyntax) -> [Diagnostic] {
        guard let names = expression.keyPathNames else { return [] }
        guard let first = names.first, !known.contains(first), entity.superentity == nil else { return [] }
        return [Diagnostic(.unknownProperty(first, of: entity.name), at: expression)]
    }
}
