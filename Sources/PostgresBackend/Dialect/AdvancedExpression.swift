#if Postgres
import ContextCore

/// Writes a regular expression as one of PostgreSQL's own, an advanced regular expression, that fits the same texts.
///
/// It is written from the syntax tree: every set of scalars as the ranges of their numbers, every group without a number, and
/// nothing that depends on a locale or that looks back. Only such pieces are used as the server works out without trying again.
struct AdvancedExpression {
    /// How many pieces an expression may have once repetitions are written out: up to here the server takes it apart in
    /// less than about two seconds, whatever they are.
    private static let mostPieces = 1000
    /// How often PostgreSQL lets a piece be asked for by number.
    private static let greatestCount = 255

    /// The text of the expression.
    let text: String

    /// Writes an expression; nil for one that would take the server too long.
    init?(_ expression: TextExpression) {
        guard Self.pieces(expression.root) <= Self.mostPieces else { return nil }
        text = "^\(Self.piece(expression.root))$"
    }

    private static func pieces(_ node: TextExpression.Node) -> Int {
        switch node {
        case .scalar: return 1
        case .sequence(let pieces), .alternatives(let pieces):
            return pieces.reduce(1) { $0 + Self.pieces($1) }
        case .repeated(let piece, let least, let most):
            // Bounds and depth are limited, so that this stays far from the greatest integer; a limit ends it all the same.
            let (count, overflow) = pieces(piece).multipliedReportingOverflow(by: max(1, most ?? least))
            return overflow || count > mostPieces ? mostPieces + 1 : count
        }
    }

    /// A node as one piece, which can be repeated.
    private static func piece(_ node: TextExpression.Node) -> String {
        switch node {
        case .scalar(let set): self.set(set)
        case .sequence(let pieces): "(?:\(pieces.map(piece).joined()))"
        case .alternatives(let branches): "(?:\(branches.map(piece).joined(separator: "|")))"
        case .repeated(let piece, let least, let most): "(?:\(repeated(self.piece(piece), least, most)))"
        }
    }

    private static func repeated(_ piece: String, _ least: Int, _ most: Int?) -> String {
        switch (least, most) {
        case (0, nil): return "\(piece)*"
        case (1, nil): return "\(piece)+"
        case (0, 1?): return "\(piece)?"
        default: break
        }
        let required = counts(least).map { "\(piece){\($0)}" }.joined()
        guard let most else { return "\(required)\(piece)*" }
        return required + counts(most - least).map { "\(piece){0,\($0)}" }.joined()
    }

    /// A number as a sum of such as PostgreSQL takes.
    private static func counts(_ count: Int) -> [Int] {
        stride(from: 0, to: count, by: greatestCount).map { min(greatestCount, count - $0) }
    }

    // MARK: Sets

    private static func set(_ set: ScalarSet) -> String {
        // No text has a NUL, and PostgreSQL no way to write one.
        let ranges = set.ranges.filter { $0.upperBound > 0 }.map { max(1, $0.lowerBound)...$0.upperBound }
        if ranges.isEmpty { return "[^\(scalar(1))-\(scalar(0x10FFFF))]" }
        if ranges.count == 1, ranges[0].count == 1, let plain = plain(ranges[0].lowerBound) { return plain }
        return "[\(ranges.map(range).joined())]"
    }

    private static func range(_ range: ClosedRange<UInt32>) -> String {
        let lower = plain(range.lowerBound) ?? scalar(range.lowerBound)
        if range.count == 1 { return lower }
        return "\(lower)-\(plain(range.upperBound) ?? scalar(range.upperBound))"
    }

    /// A letter or digit of ASCII, which stands for itself everywhere.
    private static func plain(_ value: UInt32) -> String? {
        guard let scalar = Unicode.Scalar(value), scalar.isASCII,
            Character(scalar).isLetter || Character(scalar).isNumber
        else { return nil }
        return String(Character(scalar))
    }

    /// A scalar by its number, in eight hexadecimal digits.
    private static func scalar(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
#endif
