import ContextCore

/// A request on one line: `Player where score > 10 order by score desc limit 20 offset 5`.
struct RequestText: Sendable, Equatable {
    var entityName: String
    var predicate: String?
    var order: String?
    var limit: Int?
    var offset: Int?

    /// Parses a text.
    ///
    /// - Throws: ``AdminError`` if the text names no entity, or if a clause is empty, repeated, or unknown.
    init(_ text: String) throws(AdminError) {
        var pieces = RequestPieces(text)
        entityName = pieces.removeEntityName()
        if entityName.isEmpty {
            throw .usage("the request names no entity.", hint: "Write it like 'Player where score > 10'.")
        }
        for (clause, contents) in pieces.clauses() {
            if contents.isEmpty { throw .usage("nothing follows “\(clause.rawValue)” in the request.") }
            switch clause {
            case .none:
                throw .usage(
                    "the request has the unexpected text “\(contents)” after \(entityName).",
                    hint: entityName.lowercased() == "select"
                        ? "A request is written like 'Player where score > 10'. For SQL, use 'storectl sql'."
                        : "Write it like '\(entityName) where … order by … limit 10'.")
            case .predicate: try Self.set(&predicate, contents, clause)
            case .order: try Self.set(&order, contents, clause)
            case .limit: try Self.set(&limit, Int(contents), clause)
            case .offset: try Self.set(&offset, Int(contents), clause)
            }
        }
    }

    private static func set<Value>(
        _ value: inout Value?, _ new: Value?, _ clause: RequestPieces.Clause
    ) throws(AdminError) {
        if value != nil { throw .usage("“\(clause.rawValue)” occurs twice in the request.") }
        guard let new else {
            throw .usage(
                "a number must follow “\(clause.rawValue)” in the request.",
                hint: "Write it like '\(clause.rawValue) 10'.")
        }
        value = new
    }
}

/// Splits a request into its clauses, ignoring keywords in quotes or brackets.
struct RequestPieces {
    /// The keyword of a clause.
    enum Clause: String, CaseIterable {
        case none = ""
        case predicate = "where"
        case order = "order by"
        case limit, offset
    }

    private struct Word {
        let text: String
        let range: Range<String.Index>
        let isUnquoted: Bool
    }

    private let text: String
    private var words: ArraySlice<Word>

    init(_ text: String) {
        self.text = text
        words = Self.words(of: text)[...]
    }

    /// Returns the name of the entity with which a request begins; empty if there is none.
    static func entityName(in text: String) -> String {
        var pieces = RequestPieces(text)
        return pieces.removeEntityName()
    }

    mutating func removeEntityName() -> String { words.popFirst()?.text ?? "" }

    /// Returns the clauses and their contents.
    mutating func clauses() -> [(Clause, String)] {
        var clauses: [(Clause, String)] = []
        var clause = Clause.none
        var start = words.first?.range.lowerBound ?? text.endIndex
        var isBegun = false
        while let word = words.first {
            let (next, count) = startedClause(word)
            guard let next else {
                isBegun = true
                words.removeFirst()
                continue
            }
            if isBegun || clause != .none {
                clauses.append((clause, text[start..<word.range.lowerBound].trimmingSpaces))
            }
            words.removeFirst(count)
            clause = next
            start = words.first?.range.lowerBound ?? text.endIndex
            isBegun = true
        }
        if isBegun { clauses.append((clause, text[start...].trimmingSpaces)) }
        return clauses
    }

    /// Returns the clause that a word starts, and the number of words in its keyword.
    private func startedClause(_ word: Word) -> (Clause?, Int) {
        guard word.isUnquoted else { return (nil, 0) }
        let next = words.dropFirst().first?.text.lowercased()
        switch word.text.lowercased() {
        case "where": return (.predicate, 1)
        case "order", "sort": return next == "by" ? (.order, 2) : (nil, 0)
        // An attribute may have the same name. In a clause a number follows.
        case "limit": return next.map { Int($0) != nil } == true ? (.limit, 1) : (nil, 0)
        case "offset": return next.map { Int($0) != nil } == true ? (.offset, 1) : (nil, 0)
        default: return (nil, 0)
        }
    }

    private static func words(of text: String) -> [Word] {
        var words: [Word] = []
        var start: String.Index?
        var quote: Character?
        var isEscaped = false
        var depth = 0
        var isUnquoted = true
        for index in text.indices + [text.endIndex] {
            let character = index < text.endIndex ? text[index] : " "
            if character.isWhitespace, quote == nil || index == text.endIndex {
                if let begin = start {
                    words.append(
                        Word(text: String(text[begin..<index]), range: begin..<index, isUnquoted: isUnquoted))
                    start = nil
                }
                continue
            }
            if start == nil {
                start = index
                isUnquoted = depth == 0 && quote == nil
            }
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if "([{".contains(character) {
                depth += 1
            } else if ")]}".contains(character) {
                depth -= 1
            }
        }
        return words
    }
}
