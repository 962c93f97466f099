import SwiftDiagnostics
import SwiftSyntax

/// Finds errors in key paths to an entity's own properties, in `@Derived` and `@Entity`.
struct PathChecking {
    private let entity: EntityClass
    private let propertyNames: Set<String>

    init(_ entity: EntityClass) {
        self.entity = entity
        propertyNames = Set(entity.properties.map(\.name))
    }

    func diagnostics() -> [Diagnostic] {
        let derived = entity.properties.filter(\.isDerived).flatMap { property in
            // The first argument is the derivation. Options such as `.decimal(precision: 10, scale: 2)` follow it.
            (property.marker?.options.first).map(derivationDiagnostics) ?? []
        }
        return derived
            + ["indexes", "unique"].flatMap { label in
                entity.attribute.argument(label).map(indexDiagnostics) ?? []
            }
    }

    /// Checks the key paths of a derivation: the first starts at the entity, the second at the destination of the first.
    private func derivationDiagnostics(_ expression: ExprSyntax) -> [Diagnostic] {
        guard let call = expression.as(FunctionCallExprSyntax.self) else { return [] }
        let invalidArguments = call.arguments.filter { $0.expression.keyPathNames == nil }
        guard invalidArguments.isEmpty else {
            return invalidArguments.map { Diagnostic(.pathNotKeyPath("Derived"), at: $0.expression) }
        }
        return call.arguments.prefix(1).flatMap { pathDiagnostics($0.expression) }
    }

    private func indexDiagnostics(_ expression: ExprSyntax) -> [Diagnostic] {
        if let array = expression.as(ArrayExprSyntax.self) {
            return array.elements.flatMap { indexDiagnostics($0.expression) }
        }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            return call.arguments.filter { $0.label == nil }.flatMap { indexDiagnostics($0.expression) }
        }
        return pathDiagnostics(expression)
    }

    /// Checks the first name of a path, unless the entity has a superentity, whose properties a macro can't see.
    private func pathDiagnostics(_ expression: ExprSyntax) -> [Diagnostic] {
        guard let names = expression.keyPathNames else { return [] }
        guard let first = names.first, !propertyNames.contains(first), entity.superentity == nil else {
            return []
        }
        return [Diagnostic(.unknownProperty(first, of: entity.name), at: expression)]
    }
}
