import ContextCore

/// Finds out what a predicate or a sort order expects next, from its tokens.
struct RequestScan {
    /// The operand that a text ends with.
    enum Operand: Equatable {
        case path(PropertyPath)
        /// A collection operator such as `@sum`, over the relationship at the end of a path.
        case aggregate(PropertyPath)
        /// A constant, a function call, or a group in parentheses.
        case other
    }

    /// What a text expects at its end.
    enum Expectation: Equatable {
        /// A value or a condition.
        case operand
        /// A name after the point that follows an operand.
        case name(after: Operand)
        /// An operator after an operand.
        case comparison(of: Operand)
        /// A value to compare an operand with.
        case value(of: Operand, ComparisonOperator)
        /// `nil` or the name of an entity, after `is`.
        case identity
        /// `and`, `or` or the next clause, after a complete condition.
        case connective
        /// More words after a word that follows an operand, such as `desc`.
        case word
        /// Nothing, because the text is invalid or in brackets.
        case nothing
    }

    /// An open bracket, or the text outside of all brackets.
    private struct Group {
        /// Whether the brackets contain arguments, so that a comparison in them is no condition of the enclosing group.
        var isCall = false
        /// Whether the current condition has an operator.
        var hasComparison = false
        /// The path before the last comma, over which the variable after the comma iterates.
        var collection: PropertyPath?
    }

    private enum State: Equatable {
        case operand
        case value(Operand, ComparisonOperator)
        case afterOperand(Operand)
        case afterPoint(Operand)
        case identity, word, nothing
    }

    private let bytes: [UInt8]
    private var state = State.operand
    private var groups = [Group()]
    /// The state after the options in square brackets that are open.
    private var stateAfterOptions: State?
    /// The relationships over which variables iterate.
    private(set) var variables: [String: PropertyPath] = [:]

    /// Scans a text.
    ///
    /// - Returns: Nil if the text can't be split into tokens, because a quote is open.
    init?(_ text: String) {
        bytes = Array(text.utf8)
        var lexer = PredicateLexer(text)
        guard let tokens = try? lexer.tokens() else { return nil }
        for token in tokens where token.kind != .end { scan(token) }
    }

    var expectation: Expectation {
        if stateAfterOptions != nil { return .nothing }
        switch state {
        case .operand: return .operand
        case .value(let operand, let sign): return .value(of: operand, sign)
        case .afterOperand(let operand):
            return currentGroup.hasComparison ? .connective : .comparison(of: operand)
        case .afterPoint(let operand): return .name(after: operand)
        case .identity: return .identity
        case .word: return .word
        case .nothing: return .nothing
        }
    }

    private var currentGroup: Group {
        get { groups[groups.count - 1] }
        set { groups[groups.count - 1] = newValue }
    }
}

// MARK: - Tokens

extension RequestScan {
    private mutating func scan(_ token: PredicateToken) {
        if let next = stateAfterOptions {
            if token.kind == .symbol(.closeBracket) { (state, stateAfterOptions) = (next, nil) }
            return
        }
        switch state {
        case .operand, .value: scanOperand(token)
        case .afterOperand(let operand): scan(token, after: operand)
        case .afterPoint(let operand): scan(token, afterPointOf: operand)
        case .identity:
            if token.kind == .keyword(.not) { return }
            currentGroup.hasComparison = true
            state = .afterOperand(.other)
        case .word:
            switch token.kind {
            case .symbol(.comma): beginPart()
            case .symbol(.close): closeGroup()
            case .name: break
            default: state = .nothing
            }
        case .nothing: break
        }
    }

    private mutating func scanOperand(_ token: PredicateToken) {
        switch token.kind {
        case .name(let name): state = .afterOperand(.path(PropertyPath([name])))
        case .keyword(.itself): state = .afterOperand(.path(.itself))
        case .keyword(.not), .keyword(.any), .keyword(.some), .keyword(.all), .keyword(.none): break
        case .keyword(.truePredicate), .keyword(.falsePredicate):
            currentGroup.hasComparison = true
            state = .afterOperand(.other)
        case .variable(let name):
            if variables[name] == nil { variables[name] = currentGroup.collection }
            state = .afterOperand(.path(PropertyPath([], of: name)))
        case .aggregate: state = .afterOperand(.aggregate(.itself))
        case .keyword, .integer, .double, .string, .argument, .pathArgument: state = .afterOperand(.other)
        case .symbol(let symbol): scanOperand(symbol)
        case .end: break
        }
    }

    private mutating func scanOperand(_ symbol: PredicateToken.Symbol) {
        switch symbol {
        case .open: openGroup(Group())
        case .openBrace: openGroup(Group(isCall: true))
        // Options such as [c] follow the operator.
        case .openBracket: stateAfterOptions = state
        case .close, .closeBrace: closeGroup()
        case .minus, .exclamation: break
        default: state = .nothing
        }
    }

    private mutating func scan(_ token: PredicateToken, after operand: Operand) {
        if let sign = token.comparison {
            currentGroup.hasComparison = true
            state = .value(operand, sign)
            return
        }
        switch token.kind {
        case .keyword(.and), .keyword(.or), .symbol(.ampersands), .symbol(.bars): beginPart()
        case .keyword(.is): state = .identity
        case .keyword(.not): break
        case .symbol(.point): state = .afterPoint(operand)
        case .symbol(.open): openGroup(Group(isCall: true))
        case .symbol(.openBracket): stateAfterOptions = state
        case .symbol(.close), .symbol(.closeBrace): closeGroup()
        case .symbol(.comma):
            beginPart()
            if case .path(let path) = operand { currentGroup.collection = path }
        case .symbol(.plus), .symbol(.minus), .symbol(.times), .symbol(.divided), .symbol(.orElse):
            state = .operand
        case .name: state = .word
        default: state = .nothing
        }
    }

    private mutating func scan(_ token: PredicateToken, afterPointOf operand: Operand) {
        let path: PropertyPath =
            switch operand {
            case .path(let path), .aggregate(let path): path
            case .other: .itself
            }
        switch token.kind {
        case .aggregate: state = .afterOperand(operand == .other ? .other : .aggregate(path))
        case .name(let name): advance(operand, path.appending([name]))
        // After a point a keyword is a name.
        case .keyword: advance(operand, path.appending([String(decoding: bytes[token.range], as: UTF8.self)]))
        default: state = .nothing
        }
    }

    private mutating func advance(_ operand: Operand, _ path: PropertyPath) {
        switch operand {
        case .path: state = .afterOperand(.path(path))
        case .aggregate: state = .afterOperand(.aggregate(path))
        case .other: state = .afterOperand(.other)
        }
    }

    /// Begins a condition, an argument, or a sort key.
    private mutating func beginPart() {
        currentGroup.hasComparison = false
        state = .operand
    }

    private mutating func openGroup(_ group: Group) {
        groups.append(group)
        state = .operand
    }

    private mutating func closeGroup() {
        state = .afterOperand(.other)
        guard groups.count > 1 else { return }
        let closed = groups.removeLast()
        if closed.hasComparison, !closed.isCall { currentGroup.hasComparison = true }
    }
}
