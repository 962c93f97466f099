import SwiftSyntax

/// A literal with a point or an exponent, taken apart so that it can be written as a decimal number without loss.
struct DecimalLiteral {
    private let isNegative: Bool
    private let digits: Substring
    private let exponent: Int

    /// Takes a literal apart; nil for anything else, and for one of more digits than a literal of the significand can have.
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
