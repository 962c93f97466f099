import ContextCore

/// Finds the candidates at the end of a request: entities, clauses, properties, operators and values.
struct RequestCompletion {
    let model: ObjectModel

    /// A clause, as far as it precedes the word at the cursor.
    private struct OpenClause {
        let entity: EntityLayout
        let clause: RequestPieces.Clause
        let contents: String
        /// The clauses that the request already has.
        let used: [RequestPieces.Clause]
    }

    /// Returns the candidates for the end of a request.
    func result(for text: String) -> ShellCompletion.Result {
        result(for: text, openClause(of:)) { before in
            RequestPieces.entityName(in: before).isEmpty
                ? model.layouts.map { CompletionCandidate($0.name) } : []
        }
    }

    /// Returns the candidates for the end of a predicate or a sort order, without keywords of other clauses.
    func result(
        for text: String, in clause: RequestPieces.Clause, of entity: EntityLayout
    ) -> ShellCompletion.Result {
        let used = RequestPieces.Clause.allCases
        return result(for: text) { before -> OpenClause? in
            OpenClause(entity: entity, clause: clause, contents: before, used: used)
        } otherwise: { _ in
            []
        }
    }

    private func result(
        for text: String, _ openClause: (String) -> OpenClause?,
        otherwise names: (String) -> [CompletionCandidate]
    ) -> ShellCompletion.Result {
        let start = Self.startOfWord(in: text)
        let before = String(text[..<start])
        let typed = String(text[start...])
        if let choices = quotedChoices(before: before, typed: typed, openClause) { return choices }
        let found = openClause(before).map { candidates($0, before: before, typed: typed) }
        return ShellCompletion.Result(typed: typed, candidates: found ?? names(before))
    }

    /// Returns the last clause of a request; nil if the request has no known entity.
    private func openClause(of text: String) -> OpenClause? {
        var pieces = RequestPieces(text)
        guard let entity = model.layout(named: pieces.removeEntityName()) else { return nil }
        let clauses = pieces.clauses()
        let (clause, contents) = clauses.last ?? (.none, "")
        return OpenClause(
            entity: entity, clause: clause, contents: contents, used: clauses.map(\.0))
    }

    /// Returns the start of the name at the end of a text, with its `@`, `#` or `$`.
    private static func startOfWord(in text: String) -> String.Index {
        let scalars = text.unicodeScalars
        var start = scalars.endIndex
        while start > scalars.startIndex {
            let before = scalars.index(before: start)
            let scalar = scalars[before]
            if "@#$".unicodeScalars.contains(scalar) { return before }
            let continuesName =
                scalar.value >= 0x80 || scalar == "_" || ("0"..."9").contains(scalar)
                || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
            guard continuesName else { break }
            start = before
        }
        return start
    }

    private func candidates(
        _ open: OpenClause, before: String, typed: String
    ) -> [CompletionCandidate] {
        let words = ClauseWords(used: open.used, before: before)
        switch open.clause {
        case .none: return open.contents.isEmpty ? words.clauses : words.afterUnfinishedKeyword
        case .limit, .offset: return words.clauses
        case .predicate, .order:
            guard let scan = RequestScan(open.contents) else { return [] }
            let properties = PropertyCompletion(
                model: model, entity: open.entity, variables: scan.variables, typed: typed)
            return open.clause == .order
                ? order(scan.expectation, properties, words)
                : predicate(scan.expectation, properties, words)
        }
    }

    private func predicate(
        _ expectation: RequestScan.Expectation, _ properties: PropertyCompletion, _ words: ClauseWords
    ) -> [CompletionCandidate] {
        switch expectation {
        case .operand: properties.operands
        case .name(let operand): properties.names(after: operand)
        case .comparison(let operand): words.isSeparate ? properties.operators(after: operand) : []
        case .value(let operand, let sign): properties.values(for: operand, sign)
        case .identity:
            [.keyword("nil"), .keyword("not")] + model.layouts.map { CompletionCandidate($0.name) }
        case .connective:
            words.isSeparate ? [.keyword("and"), .keyword("or")] + words.clauses : []
        case .word: words.afterUnfinishedKeyword
        case .nothing: []
        }
    }

    private func order(
        _ expectation: RequestScan.Expectation, _ properties: PropertyCompletion, _ words: ClauseWords
    ) -> [CompletionCandidate] {
        switch expectation {
        case .operand: properties.operands
        case .name(let operand): properties.names(after: operand)
        case .comparison:
            words.isSeparate ? [.keyword("asc"), .keyword("desc")] + words.clauses : []
        case .word: words.afterSortWord
        case .value, .identity, .connective, .nothing: []
        }
    }

    /// Returns the values of an enumeration, if an open quote follows a comparison with one.
    private func quotedChoices(
        before: String, typed: String, _ openClause: (String) -> OpenClause?
    ) -> ShellCompletion.Result? {
        guard let quote = before.lastIndex(where: { $0 == "\"" || $0 == "'" }) else { return nil }
        guard let open = openClause(String(before[..<quote])), open.clause == .predicate,
            let scan = RequestScan(open.contents), case .value(let operand, let sign) = scan.expectation
        else { return nil }
        let properties = PropertyCompletion(
            model: model, entity: open.entity, variables: scan.variables, typed: typed)
        let choices = properties.choices(for: operand, sign)
        if choices.isEmpty { return nil }
        return ShellCompletion.Result(
            typed: before[before.index(after: quote)...] + typed,
            candidates: choices.map { CompletionCandidate($0, suffix: "\(before[quote]) ") })
    }
}

/// The keywords that may follow the words of a request.
private struct ClauseWords {
    /// The clauses that the request already has.
    let used: [RequestPieces.Clause]
    /// The text before the word at the cursor.
    let before: String

    /// Whether whitespace separates the word at the cursor from the text before it.
    var isSeparate: Bool { before.last?.isWhitespace ?? true }

    /// The keywords of the clauses that the request doesn't have yet.
    var clauses: [CompletionCandidate] {
        guard isSeparate else { return [] }
        return RequestPieces.Clause.allCases.filter { $0 != .none && !used.contains($0) }
            .map { CompletionCandidate.keyword($0.rawValue) }
    }

    /// The candidates after a word that may be the first part of a keyword.
    var afterUnfinishedKeyword: [CompletionCandidate] {
        switch lastWord {
        case "order", "sort": used.contains(.order) ? [] : [.keyword("by")]
        default: []
        }
    }

    /// The candidates after a word that follows a sort key.
    var afterSortWord: [CompletionCandidate] {
        switch lastWord {
        case "asc", "ascending", "desc", "descending":
            isSeparate ? [.keyword("nulls first"), .keyword("nulls last")] + clauses : []
        case "nulls": [.keyword("first"), .keyword("last")]
        case "first", "last": clauses
        default: []
        }
    }

    private var lastWord: String {
        before.split(whereSeparator: \.isWhitespace).last?.lowercased() ?? ""
    }
}
