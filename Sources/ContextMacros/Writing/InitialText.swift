import SwiftSyntax

/// Writes what a new object's property begins with: once for the model, once for the initialiser.
struct InitialText {
    private let property: EntityProperty

    init(_ property: EntityProperty) {
        self.property = property
    }

    /// The value for the model's description, an `InitialValue`; nil when there is none.
    var description: String? {
        guard let value = property.defaultValue else { return nil }
        let text = value.trimmedDescription
        guard property.initialValue != nil else { return text }
        if isMoment(text) { return ".now" }
        if isNewUUID(text) { return ".newUUID" }
        return value.isPlainLiteral && !property.type.isOptional && !property.isCodable
            ? text : ".constant(\(exact(value) ?? text))"
    }

    /// The default of the initialiser's parameter; nil when the caller must give a value.
    var parameterDefault: String? {
        if property.isToMany { return "[]" }
        guard let value = property.defaultValue else { return property.type.isOptional ? "nil" : nil }
        let text = exact(value) ?? value.trimmedDescription
        guard property.initialValue == nil else { return text }
        switch value.memberName {
        case "newUUID": return "UUID()"
        case "constant":
            return value.as(FunctionCallExprSyntax.self)?.arguments.first?.expression.trimmedDescription
        default: return text
        }
    }

    private func isMoment(_ text: String) -> Bool {
        typeName == "Date" && [".now", "Date.now", "Date()", ".init()", "Date.init()"].contains(text)
    }

    private func isNewUUID(_ text: String) -> Bool {
        typeName == "UUID" && ["UUID()", ".init()", "UUID.init()"].contains(text)
    }

    /// A decimal number that is the literal's own; Swift goes by way of a double, and makes 0.07000000000000001024 of 0.07.
    private func exact(_ value: ExprSyntax) -> String? {
        typeName == "Decimal" ? DecimalLiteral(value)?.text : nil
    }

    private var typeName: String? {
        if case .named(let name) = property.type.form { name } else { nil }
    }
}

extension ExprSyntax {
    /// Whether it is a number, a truth value or text without interpolation.
    fileprivate var isPlainLiteral: Bool {
        if let string = self.as(StringLiteralExprSyntax.self) {
            return string.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
        }
        return [.integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr].contains(kind)
    }
}
