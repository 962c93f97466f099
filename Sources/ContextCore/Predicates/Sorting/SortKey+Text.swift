extension SortKey {
    /// Parses a key: an expression, then optionally `[c]`, `ASC` or `DESC`, and `NULLS FIRST` or `NULLS LAST`.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the column of the error.
    public init(_ text: String, _ arguments: (any PredicateArgument)?...) throws {
        var parser = try PredicateParser(text, arguments: arguments.map { $0 ?? StoredValue.null })
        self = try parser.sortKey()
        try parser.finish()
    }

    /// Parses keys separated by commas, such as `score DESC, game.title`.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the column of the error.
    public static func keys(_ text: String, _ arguments: (any PredicateArgument)?...) throws -> [SortKey] {
        var parser = try PredicateParser(text, arguments: arguments.map { $0 ?? StoredValue.null })
        var keys = [try parser.sortKey()]
        while parser.skip(.comma) { keys.append(try parser.sortKey()) }
        try parser.finish()
        return keys
    }
}

extension SortKey: CustomStringConvertible {
    /// The key in the text format; parsing it makes an equal key.
    public var description: String {
        let options = PredicatePrinter.text(options)
        let nulls = nullsFirst.map { $0 ? " NULLS FIRST" : " NULLS LAST" } ?? ""
        return "\(expression)\(options)\(isDescending ? " DESC" : " ASC")\(nulls)"
    }
}

extension SortKey: Codable {
    /// Decodes the key from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(container.decode(String.self))
        } catch let error as PredicateSyntaxError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Encodes the key as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension PredicateParser {
    /// Parses one sort key.
    fileprivate mutating func sortKey() throws(PredicateSyntaxError) -> SortKey {
        var key = SortKey(try value())
        key.options = try textOptions()
        switch word {
        case "asc", "ascending": index += 1
        case "desc", "descending":
            key.isDescending = true
            index += 1
        default: break
        }
        guard word == "nulls" else { return key }
        index += 1
        switch word {
        case "first": key.nullsFirst = true
        case "last": key.nullsFirst = false
        default: throw unexpectedTokenError("FIRST or LAST")
        }
        index += 1
        return key
    }

    /// The word at the current position, in lowercase; nil if the token is not a name.
    private var word: String? {
        if case .name(let name) = token.kind { name.lowercased() } else { nil }
    }
}
