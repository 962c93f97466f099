/// Reads a regular expression.
struct TextExpressionParser {
    /// How deep groups may be nested.
    private static let deepest = 50
    /// How often a piece may be asked for by number.
    private static let greatestCount = 1000

    private let scalars: [Unicode.Scalar]
    private let options: TextOptions
    private var index = 0
    private var depth = 0

    init(_ pattern: String, options: TextOptions) {
        scalars = Array(pattern.unicodeScalars)
        self.options = options
    }

    /// Reads the whole expression.
    mutating func expression() throws(TextExpressionError) -> TextExpression.Node {
        let node = try alternatives()
        guard index == scalars.count else { throw TextExpressionError("a “)” has no “(”") }
        return node
    }

    private mutating func alternatives() throws(TextExpressionError) -> TextExpression.Node {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(TextExpressionError) -> TextExpression.Node {
        var pieces: [TextExpression.Node] = []
        // Beginning and end are implied, so at the outermost level saying so changes nothing.
        if depth == 0 { _ = take("^") }
        while let next = peek, next != "|", next != ")" {
            if depth == 0, next == "$", index + 1 == scalars.count || scalars[index + 1] == "|" {
                index += 1
                break
            }
            let piece = try single()
            pieces.append(try repeated(piece))
        }
        return pieces.count == 1 ? pieces[0] : .sequence(pieces)
    }

    private mutating func single() throws(TextExpressionError) -> TextExpression.Node {
        guard let scalar = next() else { throw TextExpressionError("it ends too soon") }
        switch scalar {
        case "(": return try group()
        case "[": return .scalar(try set())
        case ".": return .scalar(.anyButLineFeed)
        case "\\": return try escape()
        case "*", "+", "?", "{": throw TextExpressionError("“\(scalar)” has nothing to repeat")
        case "^", "$": throw TextExpressionError("“\(scalar)” can stand only at the beginning or end")
        default: return literal(scalar)
        }
    }

    private mutating func group() throws(TextExpressionError) -> TextExpression.Node {
        if take("?"), !take(":") {
            throw TextExpressionError("groups that begin with “(?” are not supported, but for “(?:”")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw TextExpressionError("groups are nested more than \(Self.deepest) levels deep")
        }
        let node = try alternatives()
        guard take(")") else { throw TextExpressionError("a “(” has no “)”") }
        return node
    }

    /// One scalar as folded text has it; nothing at all for a mark that folding removes.
    private func literal(_ scalar: Unicode.Scalar) -> TextExpression.Node {
        guard let map = ScalarMap.folding(options) else {
            return .scalar(ScalarSet([scalar.value...scalar.value]))
        }
        return map.target(of: scalar.value).map { .scalar(ScalarSet([$0...$0])) } ?? .sequence([])
    }
}

// MARK: - Repeating

extension TextExpressionParser {
    private mutating func repeated(
        _ piece: TextExpression.Node
    ) throws(TextExpressionError) -> TextExpression.Node {
        let node: TextExpression.Node
        switch peek {
        case "*": node = .repeated(piece, least: 0, most: nil)
        case "+": node = .repeated(piece, least: 1, most: nil)
        case "?": node = .repeated(piece, least: 0, most: 1)
        case "{":
            index += 1
            let (least, most) = try bounds()
            return try afterRepeating(.repeated(piece, least: least, most: most))
        default: return piece
        }
        index += 1
        return try afterRepeating(node)
    }

    /// Passes over `?`: how little is taken makes no difference where the whole text has to fit.
    private mutating func afterRepeating(
        _ node: TextExpression.Node
    ) throws(TextExpressionError) -> TextExpression.Node {
        _ = take("?")
        switch peek {
        case "*", "+", "?", "{": throw TextExpressionError("a repetition is repeated; put it in a group")
        default: return node
        }
    }

    private mutating func bounds() throws(TextExpressionError) -> (Int, Int?) {
        let least = number()
        var most = least
        if take(",") { most = number() }
        guard let least, take("}") else {
            throw TextExpressionError("a repetition is written {2}, {2,} or {2,5}")
        }
        guard least <= Self.greatestCount, most ?? 0 <= Self.greatestCount, least <= most ?? least else {
            throw TextExpressionError(
                "a repetition's bounds must be in order, and at most \(Self.greatestCount)")
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let scalar = peek, ("0"..."9").contains(scalar), digits.count < 6 {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        return Int(digits)
    }
}

// MARK: - Classes and escapes

extension TextExpressionParser {
    private mutating func set() throws(TextExpressionError) -> ScalarSet {
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var named: [ClosedRange<UInt32>] = []
        var isFirst = true
        while let scalar = next() {
            if scalar == "]", !isFirst {
                let set = ScalarSet(ScalarSet(ranges).folded(options).ranges + named)
                return isInverted ? set.inverted : set
            }
            isFirst = false
            if scalar == "[" { throw TextExpressionError("a “[” within a class is written \\[") }
            if scalar == "\\", let set = try namedSet() {
                named += set.ranges
                continue
            }
            let lower = scalar == "\\" ? try escapedScalar() : scalar
            ranges.append(lower.value...(try upperBound(from: lower)).value)
        }
        throw TextExpressionError("a “[” has no “]”")
    }

    /// The end of a range, if one follows; else its beginning.
    private mutating func upperBound(
        from lower: Unicode.Scalar
    ) throws(TextExpressionError) -> Unicode.Scalar {
        guard peek == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else { return lower }
        index += 1
        guard let scalar = next() else { throw TextExpressionError("a “[” has no “]”") }
        let upper = scalar == "\\" ? try escapedScalar() : scalar
        guard lower <= upper, scalar != "[" else {
            throw TextExpressionError("a range in a class runs backwards")
        }
        return upper
    }

    private mutating func escape() throws(TextExpressionError) -> TextExpression.Node {
        if let set = try namedSet() { return .scalar(set) }
        return literal(try escapedScalar())
    }

    /// The set that the letter after a backslash stands for, if it stands for one, folded.
    ///
    /// What is left out is folded before it is left out: the text has been folded, so `é` is no more outside `\w` than `e` is.
    private mutating func namedSet() throws(TextExpressionError) -> ScalarSet? {
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

    private mutating func escapedScalar() throws(TextExpressionError) -> Unicode.Scalar {
        guard let scalar = next() else { throw TextExpressionError("it ends with a backslash") }
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0"..."9", "a"..."z", "A"..."Z":
            throw TextExpressionError("“\\\(scalar)” is not supported")
        default: return scalar
        }
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        return scalar
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        index += 1
        return true
    }
}
