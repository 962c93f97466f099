import SwiftSyntax

/// A floating-point literal, parsed so that it can be generated as an exact decimal number.
struct DecimalLiteral {
    private let isNegative: Bool
    private let digits: Substring
    private let exponent: Int

    /// Parses a literal; nil for other expressions and for literals with more than 18 digits, which don't fit into an integer literal.
    init?(_ expression: ExprSyntax) {
        if let negation = expression.as(PrefixOperatorExprSyntax.self), negation.operator.text == "-" {
            guard let positive = DecimalLiteral(negation.expression), !positive.isNegative else { return nil }
            (digits, exponent) = (positive.digits, positive.exponent)
            isNegative = true
            return
        }
        guard let literal = expression.as(FloatLiteralExprSyntax.self)?.literal.text.filter({ $0 != "_" }),
            !literal.hasPrefix("0x")
        else { return nil }
        let parts = literal.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        guard let mantissa = parts.first, let written = parts.count > 1 ? Int(parts[1]) : 0,
            (-100...100).contains(written)
        else { return nil }
        let significant = mantissa.filter { $0 != "." }.drop { $0 == "0" }
        guard significant.count <= 18 else { return nil }
        isNegative = false
        digits = significant.isEmpty ? "0" : Substring(significant)
        exponent = written - mantissa.drop { $0 != "." }.dropFirst().count
    }

    var text: String {
        "Decimal(sign: .\(isNegative ? "minus" : "plus"), exponent: \(exponent), significand: \(digits))"
    }
}
