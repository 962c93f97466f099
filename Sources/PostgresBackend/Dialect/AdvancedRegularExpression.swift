#if Postgres
import ContextCore

/// A PostgreSQL advanced regular expression that matches the same texts as a regular expression of a predicate.
///
/// It is generated from the syntax tree: sets of scalars become ranges of numbers, groups are non-capturing, and nothing depends on a
/// locale or on back references. The server matches all of these constructs without backtracking.
struct AdvancedRegularExpression {
    /// The largest number of pieces after expanding repetitions, which the server compiles within about two seconds.
    private static let maximumPieces = 1000
    /// The largest repetition count that PostgreSQL allows.
    private static let maximumRepetitionCount = 255

    /// The text of the expression.
    let text: String

    /// Translates an expression; nil if it has too many pieces for the server.
    init?(_ expression: RegularExpression) {
        guard Self.pieces(expression.root) <= Self.maximumPieces else { return nil }
        text = "^\(Self.piece(expression.root))$"
    }

    private static func pieces(_ node: RegularExpression.Node) -> Int {
        switch node {
        case .scalar: return 1
        case .sequence(let pieces), .alternatives(let pieces):
            return pieces.reduce(1) { $0 + Self.pieces($1) }
        case .repeated(let piece, let minimum, let maximum):
            // The parser's limits of bounds and depth rule out an overflow; the check is a precaution.
            let (count, overflow) = pieces(piece).multipliedReportingOverflow(by: max(1, maximum ?? minimum))
            return overflow || count > maximumPieces ? maximumPieces + 1 : count
        }
    }

    /// Returns the text of a node as one unit that can be repeated.
    private static func piece(_ node: RegularExpression.Node) -> String {
        switch node {
        case .scalar(let set): self.set(set)
        case .sequence(let pieces): "(?:\(pieces.map(piece).joined()))"
        case .alternatives(let branches): "(?:\(branches.map(piece).joined(separator: "|")))"
        case .repeated(let piece, let minimum, let maximum):
            "(?:\(repeated(self.piece(piece), minimum, maximum)))"
        }
    }

    private static func repeated(_ piece: String, _ minimum: Int, _ maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (0, nil): return "\(piece)*"
        case (1, nil): return "\(piece)+"
        case (0, 1?): return "\(piece)?"
        default: break
        }
        let required = counts(minimum).map { "\(piece){\($0)}" }.joined()
        guard let maximum else { return "\(required)\(piece)*" }
        return required + counts(maximum - minimum).map { "\(piece){0,\($0)}" }.joined()
    }

    /// Splits a repetition count into counts that PostgreSQL allows.
    private static func counts(_ count: Int) -> [Int] {
        stride(from: 0, to: count, by: maximumRepetitionCount).map { min(maximumRepetitionCount, count - $0) }
    }

    // MARK: Sets

    private static func set(_ set: ScalarSet) -> String {
        // Texts contain no NUL, and PostgreSQL has no notation for it.
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

    /// Returns an ASCII letter or digit, which needs no escape; nil for other scalars.
    private static func plain(_ value: UInt32) -> String? {
        guard let scalar = Unicode.Scalar(value), scalar.isASCII,
            Character(scalar).isLetter || Character(scalar).isNumber
        else { return nil }
        return String(Character(scalar))
    }

    /// Returns the escape of a scalar with eight hexadecimal digits.
    private static func scalar(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
#endif
