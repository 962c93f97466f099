/// A recursive descent parser for regular expressions.
struct RegularExpressionParser {
    /// The maximum nesting of groups.
    private static let maximumDepth = 50
    /// The maximum bound of a quantifier such as `{2,5}`.
    private static let maximumCount = 1000

    private let scalars: [Unicode.Scalar]
    private let options: TextOptions
    private var index = 0
    private var depth = 0

    init(_ pattern: String, options: TextOptions) {
        scalars = Array(pattern.unicodeScalars)
        self.options = options
    }

    /// Parses the whole expression.
    mutating func parseExpression() throws(RegularExpressionError) -> RegularExpression.Node {
        let node = try parseAlternatives()
        guard index == scalars.count else { throw RegularExpressionError("a “)” has no “(”") }
        return node
    }

    private mutating func parseAlternatives() throws(RegularExpressionError) -> RegularExpression.Node {
        var branches = [try parseSequence()]
        while skip("|") { branches.append(try parseSequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func parseSequence() throws(RegularExpressionError) -> RegularExpression.Node {
        var pieces: [RegularExpression.Node] = []
        // Expressions are anchored anyway, so `^` and `$` at the outermost level change nothing.
        if depth == 0 { _ = skip("^") }
        while let next = peek, next != "|", next != ")" {
            if depth == 0, next == "$", index + 1 == scalars.count || scalars[index + 1] == "|" {
                index += 1
                break
            }
            let piece = try parseAtom()
            pieces.append(try parseQuantifier(of: piece))
        }
        return pieces.count == 1 ? pieces[0] : .sequence(pieces)
    }

    private mutating func parseAtom() throws(RegularExpressionError) -> RegularExpression.Node {
        guard let scalar = next() else { throw RegularExpressionError("it is incomplete") }
        switch scalar {
        case "(": return try parseGroup()
        case "[": return .scalar(try parseClass())
        case ".": return .scalar(.anyButLineFeed)
        case "\\": return try parseEscape()
        case "*", "+", "?", "{": throw RegularExpressionError("“\(scalar)” has nothing to repeat")
        case "^", "$": throw RegularExpressionError("“\(scalar)” is allowed only at the beginning or end")
        default: return literal(scalar)
        }
    }

    private mutating func parseGroup() throws(RegularExpressionError) -> RegularExpression.Node {
        if skip("?"), !skip(":") {
            throw RegularExpressionError("groups that start with “(?” are not supported, except “(?:”")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw RegularExpressionError("groups are nested more than \(Self.maximumDepth) levels deep")
        }
        let node = try parseAlternatives()
        guard skip(")") else { throw RegularExpressionError("a “(” has no “)”") }
        return node
    }

    /// Returns a node for a folded scalar; an empty sequence for a mark that folding removes.
    private func literal(_ scalar: Unicode.Scalar) -> RegularExpression.Node {
        guard let map = ScalarMap.folding(options) else {
            return .scalar(ScalarSet([scalar.value...scalar.value]))
        }
        return map.target(of: scalar.value).map { .scalar(ScalarSet([$0...$0])) } ?? .sequence([])
    }
}

// MARK: - Repeating

extension RegularExpressionParser {
    private mutating func parseQuantifier(
        of piece: RegularExpression.Node
    ) throws(RegularExpressionError) -> RegularExpression.Node {
        let node: RegularExpression.Node
        switch peek {
        case "*": node = .repeated(piece, minimum: 0, maximum: nil)
        case "+": node = .repeated(piece, minimum: 1, maximum: nil)
        case "?": node = .repeated(piece, minimum: 0, maximum: 1)
        case "{":
            index += 1
            let (minimum, maximum) = try parseBounds()
            return try finishQuantifier(.repeated(piece, minimum: minimum, maximum: maximum))
        default: return piece
        }
        index += 1
        return try finishQuantifier(node)
    }

    /// Skips `?`: laziness makes no difference because the whole text must match.
    private mutating func finishQuantifier(
        _ node: RegularExpression.Node
    ) throws(RegularExpressionError) -> RegularExpression.Node {
        _ = skip("?")
        switch peek {
        case "*", "+", "?", "{":
            throw RegularExpressionError("a quantifier follows another; put the first in a group")
        default: return node
        }
    }

    private mutating func parseBounds() throws(RegularExpressionError) -> (Int, Int?) {
        let minimum = parseNumber()
        var maximum = minimum
        if skip(",") { maximum = parseNumber() }
        guard let minimum, skip("}") else {
            throw RegularExpressionError("a quantifier must have the form {2}, {2,} or {2,5}")
        }
        guard minimum <= Self.maximumCount, maximum ?? 0 <= Self.maximumCount, minimum <= maximum ?? minimum
        else {
            throw RegularExpressionError(
                "the bounds of a quantifier must be ascending and at most \(Self.maximumCount)")
        }
        return (minimum, maximum)
    }

    private mutating func parseNumber() -> Int? {
        var digits = ""
        while let scalar = peek, ("0"..."9").contains(scalar), digits.count < 6 {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        return Int(digits)
    }
}

// MARK: - Classes and escapes

extension RegularExpressionParser {
    private mutating func parseClass() throws(RegularExpressionError) -> ScalarSet {
        let isInverted = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        var named: [ClosedRange<UInt32>] = []
        var isFirst = true
        while let scalar = next() {
            if scalar == "]", !isFirst {
                let set = ScalarSet(ScalarSet(ranges).folded(options).ranges + named)
                return isInverted ? set.inverted : set
            }
            isFirst = false
            if scalar == "[" { throw RegularExpressionError("a “[” inside a class must be written \\[") }
            if scalar == "\\", let set = try parseNamedSet() {
                named += set.ranges
                continue
            }
            let lower = scalar == "\\" ? try parseEscapedScalar() : scalar
            ranges.append(lower.value...(try parseUpperBound(from: lower)).value)
        }
        throw RegularExpressionError("a “[” has no “]”")
    }

    /// Parses the upper bound of a range in a class; returns the lower bound if there is none.
    private mutating func parseUpperBound(
        from lower: Unicode.Scalar
    ) throws(RegularExpressionError) -> Unicode.Scalar {
        guard peek == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else { return lower }
        index += 1
        guard let scalar = next() else { throw RegularExpressionError("a “[” has no “]”") }
        let upper = scalar == "\\" ? try parseEscapedScalar() : scalar
        guard lower <= upper, scalar != "[" else {
            throw RegularExpressionError("a range in a class is reversed")
        }
        return upper
    }

    private mutating func parseEscape() throws(RegularExpressionError) -> RegularExpression.Node {
        if let set = try parseNamedSet() { return .scalar(set) }
        return literal(try parseEscapedScalar())
    }

    /// Parses a class such as `\d` or `\W` after the backslash, folded with the options; nil if there is none.
    ///
    /// A complement is taken after folding: matched text is folded, so `é` is in `\w` like `e`, and not in `\W`.
    private mutating func parseNamedSet() throws(RegularExpressionError) -> ScalarSet? {
        let set: ScalarSet
        switch peek {
        case "d": set = ScalarSet.digits.folded(options)
        case "D": set = ScalarSet.digits.folded(options).inverted
        case "w": set = ScalarSet.wordScalars.folded(options)
        case "W": set = ScalarSet.wordScalars.folded(options).inverted
        case "s": set = ScalarSet.spaces.folded(options)
        case "S": set = ScalarSet.spaces.folded(options).inverted
        default: return nil
        }
        index += 1
        return set
    }

    private mutating func parseEscapedScalar() throws(RegularExpressionError) -> Unicode.Scalar {
        guard let scalar = next() else { throw RegularExpressionError("it ends with a backslash") }
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0"..."9", "a"..."z", "A"..."Z":
            throw RegularExpressionError("“\\\(scalar)” is not supported")
        default: return scalar
        }
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        return scalar
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        index += 1
        return true
    }
}
