import Foundation

/// Reads the expressions and predicates of a compiled model.
enum ArchivedExpression {
    /// The function expressions of derived attributes, by their selectors, as key paths write them.
    private static let aggregates = ["count:": "@count", "sum:": "@sum", "min:": "@min", "max:": "@max"]
    private static let functions = ["canonical:", "lowercase:", "uppercase:"]
    private static let maxDepth = 16

    /// Returns the text of a derivation, as a data model writes it; nil for an expression of another kind.
    static func text(of expression: ArchivedObject) -> String? {
        guard expression.isKind(of: "NSFunctionExpression"),
            let selector = expression.string("NSSelectorName")
        else {
            return nil
        }
        if expression.isKind(of: "NSKeyPathExpression") { return keyPath(of: expression) }
        if selector == "now" { return "now()" }
        let arguments = expression.objects("NSArguments")
        guard arguments.count == 1, let path = keyPath(of: arguments[0]) else { return nil }
        if functions.contains(selector) { return "\(selector)(\(path))" }
        guard let aggregate = aggregates[selector] else { return nil }
        if selector == "count:" { return path.hasSuffix(".@count") ? path : "\(path).\(aggregate)" }
        guard let dot = path.lastIndex(of: ".") else { return nil }
        return "\(path[..<dot]).\(aggregate)\(path[dot...])"
    }

    /// Returns the key path of an expression, relative to the object itself.
    private static func keyPath(of expression: ArchivedObject) -> String? {
        guard expression.isKind(of: "NSKeyPathExpression"),
            expression.object("NSOperand")?.isKind(of: "NSSelfExpression") == true
        else { return nil }
        return expression.objects("NSArguments").first?.string("NSKeyPath")
    }

    /// Adds the rule of a validation predicate to an attribute.
    ///
    /// - Parameter depth: The number of compound predicates around it.
    static func addRule(
        _ predicate: ArchivedObject, to attribute: inout CoreDataModel.Attribute, depth: Int,
        _ budget: inout ModelBudget
    ) throws(FormatError) {
        try budget.spend()
        let isConjunction =
            predicate.isKind(of: "NSCompoundPredicate") && predicate.int("NSCompoundPredicateType") == 1
        if isConjunction, depth < maxDepth {
            for part in predicate.objects("NSSubpredicates") {
                try addRule(part, to: &attribute, depth: depth + 1, &budget)
            }
        } else if !addComparison(predicate, to: &attribute) {
            attribute.hasOtherRules = true
        }
    }

    private static func addComparison(
        _ predicate: ArchivedObject, to attribute: inout CoreDataModel.Attribute
    ) -> Bool {
        guard predicate.isKind(of: "NSComparisonPredicate"), let left = predicate.object("NSLeftExpression"),
            let right = predicate.object("NSRightExpression"),
            let kind = predicate.object("NSPredicateOperator")?.int("NSOperatorType")
        else { return false }
        let isLength = attribute.type == .string
        guard isLength && keyPath(of: left) == "length" || left.isKind(of: "NSSelfExpression") else {
            return false
        }
        // The numbers of NSComparisonPredicate.Operator: 1 is <=, 3 is >= and 6 is MATCHES.
        switch (kind, right.number("NSConstantValue"), right.string("NSConstantValue")) {
        case (1, let bound?, _) where isLength == !left.isKind(of: "NSSelfExpression"):
            attribute.maximum = bound
        case (3, let bound?, _) where isLength == !left.isKind(of: "NSSelfExpression"):
            attribute.minimum = bound
        case (6, _, let pattern?): attribute.pattern = pattern
        default: return false
        }
        return true
    }
}

extension ArchivedObject {
    /// Returns a member as a number: a number, a date in seconds since 2001, or a decimal number.
    func number(_ key: String) -> Double? {
        switch value(key) {
        case .int(let number)?: return Double(number)
        case .real(let number)?, .date(let number)?: return number
        default: break
        }
        guard let object = object(key) else { return nil }
        if let decimal = object.decimal { return NSDecimalNumber(decimal: decimal).doubleValue }
        return object.members["NS.time"] == nil ? nil : object.number("NS.time")
    }

    /// The value of an archived `NSDecimalNumber`; nil for other objects.
    var decimal: Decimal? {
        guard let mantissa = members["NS.mantissa"]?.data, let exponent = int("NS.exponent"),
            (-128...127).contains(exponent), mantissa.count <= 16, let length = int("NS.length"),
            (0...8).contains(length)
        else { return nil }
        let isBigEndian = int("NS.mantissa.bo") == 2
        var value = Decimal(0)
        // The mantissa has 16-bit words, the lowest first.
        for start in stride(from: min(length * 2, mantissa.count & ~1) - 2, through: 0, by: -2) {
            let bytes = (mantissa[mantissa.startIndex + start], mantissa[mantissa.startIndex + start + 1])
            let word =
                isBigEndian ? UInt16(bytes.0) << 8 | UInt16(bytes.1) : UInt16(bytes.1) << 8 | UInt16(bytes.0)
            value = value * 65536 + Decimal(Int(word))
        }
        let scaled = Decimal(
            sign: bool("NS.negative") ? .minus : .plus, exponent: exponent, significand: value)
        return scaled.isNaN ? nil : scaled
    }
}
