/// Parses predicates from text.
extension FetchPredicate {
    /// Parses a predicate.
    ///
    /// ```swift
    /// let predicate = try FetchPredicate("score > %ld AND ANY players.name BEGINSWITH[c] %@", 10, "an")
    /// ```
    ///
    /// `%@`, `%ld` and `%f` are placeholders for values, `%K` for a path. An argument is never parsed, so it can't change the
    /// structure of the predicate.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the column of the error.
    public init(_ text: String, _ arguments: (any PredicateArgument)?...) throws {
        try self.init(text, arguments: arguments.map { $0 ?? StoredValue.null })
    }

    /// Parses a predicate with its arguments in an array.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the column of the error.
    public init(_ text: String, arguments: [any PredicateArgument]) throws {
        var parser = try PredicateParser(text, arguments: arguments)
        self = try parser.wholePredicate()
    }
}

extension FetchPredicate: CustomStringConvertible {
    /// The predicate in the text format; parsing it makes an equal predicate.
    public var description: String { PredicatePrinter().text(self) }

    /// The predicate without its constants, for logs and errors.
    public var redactedDescription: String { PredicatePrinter(hidesValues: true).text(self) }
}

extension FetchPredicate: Codable {
    /// Decodes the predicate from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(container.decode(String.self), arguments: [])
        } catch let error as PredicateSyntaxError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Encodes the predicate as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension FetchExpression {
    /// Parses an expression, such as `score * 2` or `players.@count`.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the column of the error.
    public init(_ text: String, _ arguments: (any PredicateArgument)?...) throws {
        try self.init(text, arguments: arguments.map { $0 ?? StoredValue.null })
    }

    /// Parses an expression with its arguments in an array.
    ///
    /// - Throws: ``PredicateSyntaxError`` with the column of the error.
    public init(_ text: String, arguments: [any PredicateArgument]) throws {
        var parser = try PredicateParser(text, arguments: arguments)
        self = try parser.wholeExpression()
    }
}

extension FetchExpression: CustomStringConvertible {
    /// The expression in the text format; parsing it makes an equal expression.
    public var description: String { PredicatePrinter().text(self) }

    /// The expression without its constants, for logs and errors.
    public var redactedDescription: String { PredicatePrinter(hidesValues: true).text(self) }
}

extension FetchExpression: Codable {
    /// Decodes the expression from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(container.decode(String.self))
        } catch let error as PredicateSyntaxError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Encodes the expression as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension PropertyPath: CustomStringConvertible {
    /// The path in the text format.
    public var description: String { PredicatePrinter().text(self) }
}

extension PropertyPath: Codable {
    /// Decodes the path from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard case .path(let path) = try? FetchExpression(container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text isn't a path.")
        }
        self = path
    }

    /// Encodes the path as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
