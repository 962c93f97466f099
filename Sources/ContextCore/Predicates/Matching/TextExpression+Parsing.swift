extension TextExpression {
    /// Reads an expression.
    ///
    /// - Throws: ``StoreError`` that says where it can't be read.
    package init(parsing pattern: String) throws {
        var parser = TextExpressionParser(pattern)
        self.init(pattern: pattern, root: try parser.parse())
    }
}

/// Reads regular expressions of the small language that every store answers alike.
private struct TextExpressionParser {
    private static let mostRepetitions = 100
    private static let deepest = 30

    private let pattern: String
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ pattern: String) {
        self.pattern = pattern
        scalars = Array(pattern.unicodeScalars)
    }

    mutating func parse() throws -> TextExpression.Node {
        let node = try alternatives()
        if position < scalars.count { throw failure("there is a ) without its (") }
        return node
    }

    private mutating func alternatives() throws -> TextExpression.Node {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.deepest { throw failure("it is nested too deeply") }
        var found = [try sequence()]
        while take("|") { found.append(try sequence()) }
        return found.count == 1 ? found[0] : .alternatives(found)
    }

    private mutating func sequence() throws -> TextExpression.Node {
        var nodes: [TextExpression.Node] = []
        while let next = peek, next != "|", next != ")" { nodes.append(try repeated(try atom())) }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func repeated(_ node: TextExpression.Node) throws -> TextExpression.Node {
        var node = node
        while let next = peek {
            switch next {
            case "*": node = .repeated(node, least: 0, most: nil)
            case "+": node = .repeated(node, least: 1, most: nil)
            case "?": node = .repeated(node, least: 0, most: 1)
            case "{":
                node = try bounded(node)
                continue
            default: return node
            }
            position += 1
        }
        return node
    }

    private mutating func bounded(_ node: TextExpression.Node) throws -> TextExpression.Node {
        position += 1
        guard let least = number() else { throw failure("{ needs a number") }
        var most: Int? = least
        if take(",") { most = number() }
        guard take("}") else { throw failure("} is missing") }
        guard least <= Self.mostRepetitions, (most ?? 0) <= Self.mostRepetitions, least <= most ?? .max else {
            throw failure("the bounds of a repetition are wrong or above \(Self.mostRepetitions)")
        }
        return .repeated(node, least: least, most: most)
    }

    private mutating func atom() throws -> TextExpression.Node {
        let next = scalars[position]
        position += 1
        switch next {
        case "(":
            if take("?"), !take(":") { throw failure("(? begins something that isn't supported") }
            let inner = try alternatives()
            guard take(")") else { throw failure("a ) is missing") }
            return inner
        case "[": return .scalar(try scalarClass())
        case ".": return .scalar(ScalarSet([0x0A...0x0A]).inverted)
        case "\\": return .scalar(try escaped())
        case "*", "+", "?", "{": throw failure("\(next) has nothing to repeat")
        case "^", "$": throw failure("beginning and end are implied, and can't be written")
        default: return .scalar(ScalarSet([next.value...next.value]))
        }
    }

    private mutating func escaped() throws -> ScalarSet {
        guard let next = peek else { throw failure("a backslash stands at the end") }
        position += 1
        switch next {
        case "d": return Self.digits
        case "D": return Self.digits.inverted
        case "w": return Self.word
        case "W": return Self.word.inverted
        case "s": return Self.space
        case "S": return Self.space.inverted
        case "n": return ScalarSet([0x0A...0x0A])
        case "r": return ScalarSet([0x0D...0x0D])
        case "t": return ScalarSet([0x09...0x09])
        case _ where next.properties.isAlphabetic || Self.digits.contains(next.value):
            throw failure("\\\(next) isn't supported")
        default: return ScalarSet([next.value...next.value])
        }
    }

    private mutating func scalarClass() throws -> ScalarSet {
        let isInverted = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        var isFirst = true
        while let next = peek, next != "]" || isFirst {
            isFirst = false
            position += 1
            if next == "\\" {
                ranges += try escaped().ranges
                continue
            }
            if peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
                let last = scalars[position + 1]
                position += 2
                guard next.value <= last.value, last != "\\" else {
                    throw failure("a range in [] runs backwards")
                }
                ranges.append(next.value...last.value)
            } else {
                ranges.append(next.value...next.value)
            }
        }
        guard take("]") else { throw failure("a ] is missing") }
        let set = ScalarSet(ranges)
        return isInverted ? set.inverted : set
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let next = peek, Self.digits.contains(next.value), digits.count < 6 {
            digits.unicodeScalars.append(next)
            position += 1
        }
        return Int(digits)
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    private func failure(_ reason: String) -> StoreError {
        StoreError(
            .unsupportedRequest,
            "The regular expression can't be read at character \(position + 1): \(reason).")
    }

    private static let digits = ScalarSet([0x30...0x39])
    private static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    private static let space = ScalarSet([0x09...0x0D, 0x20...0x20])
}
