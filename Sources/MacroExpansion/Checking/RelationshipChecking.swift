import SwiftDiagnostics
import SwiftSyntax

/// Finds errors in a property that is a relationship or is declared as one.
struct RelationshipChecking {
    let property: EntityProperty

    init(_ property: EntityProperty) {
        self.property = property
    }

    private var name: String { property.name }

    func toOneDiagnostics() -> [Diagnostic] {
        let type = property.type
        guard !type.isValue else {
            return [Diagnostic(.valueAsRelationship(name, type: type.text), at: type.syntax)]
        }
        return inverseDiagnostics() + countDiagnostics()
            + initialValueDiagnostics { $0.is(NilLiteralExprSyntax.self) }
    }

    func toManyDiagnostics() -> [Diagnostic] {
        if let marker = property.marker, marker.kind != .relationship {
            return [Diagnostic(.collectionAsAttribute(name), at: marker.syntax, fix: property.codableFix)]
        }
        return optionalityDiagnostics() + missingInverseDiagnostics() + inverseDiagnostics()
            + initialValueDiagnostics { $0.as(ArrayExprSyntax.self)?.elements.isEmpty == true }
    }

    private func optionalityDiagnostics() -> [Diagnostic] {
        let type = property.type
        if let optional = type.syntax.as(OptionalTypeSyntax.self) {
            let wrapped = optional.wrappedType.trimmedDescription
            let fix = FixIt.replace(type.syntax, by: wrapped, saying: "Remove '?'")
            return [Diagnostic(.optionalToMany(name), at: optional.questionMark, fix: fix)]
        }
        if let element = type.element?.as(OptionalTypeSyntax.self) {
            return [Diagnostic(.optionalElement(name), at: element.questionMark)]
        }
        return type.isOptional ? [Diagnostic(.optionalToMany(name), at: type.syntax)] : []
    }

    private func missingInverseDiagnostics() -> [Diagnostic] {
        guard property.marker?.argument("inverse") == nil else { return [] }
        let mistake = MacroError.missingInverse(name, to: property.type.element?.trimmedDescription ?? "")
        let argument = "inverse: \\.<#property#>"
        guard let marker = property.marker else {
            let pattern = property.declaration.bindings
            return [
                Diagnostic(
                    mistake, at: pattern,
                    fix: .add("@Relationship(\(argument))", to: property.declaration))
            ]
        }
        let fix = FixIt.add(argument, to: marker.syntax) { $0.label?.text == "deleteRule" }
        return [Diagnostic(mistake, at: marker.syntax, fix: fix)]
    }

    private func inverseDiagnostics() -> [Diagnostic] {
        guard let inverse = property.marker?.argument("inverse") else { return [] }
        guard let names = inverse.keyPathNames else {
            return [Diagnostic(.inverseNotKeyPath(name), at: inverse)]
        }
        return names.count == 1 ? [] : [Diagnostic(.multiStepInverse(name), at: inverse)]
    }

    private func countDiagnostics() -> [Diagnostic] {
        ["minimumCount", "maximumCount"].compactMap { label in
            property.marker?.argument(label).map { Diagnostic(.countOfToOneRelationship(name), at: $0) }
        }
    }

    private func initialValueDiagnostics(isAllowed: (ExprSyntax) -> Bool) -> [Diagnostic] {
        guard let value = property.initialValue, !isAllowed(value) else { return [] }
        return [Diagnostic(.relationshipDefault(name), at: value)]
    }
}
