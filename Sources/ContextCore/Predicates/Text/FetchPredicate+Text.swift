/// The text format.
extension FetchPredicate {
    /// Reads a predicate from text.
    ///
    /// ```swift
    /// let predicate = try FetchPredicate("score > %ld AND ANY players.name BEGINSWITH[c] %@", 10, "an")
    /// ```
    ///
    /// `%@`, `%ld` and `%f` stand for values, `%K` for a path. A value is never read as text, so it can't change what the
    /// predicate asks.
    ///
    /// - Throws: ``PredicateSyntaxError``, which points at the column.
    public init(_ text: String, _ arguments: (any PredicateArgument)?...) throws {
        try self.init(text, arguments: arguments.map { $0 ?? StoredValue.null })
    }

    /// Reads a predicate from text, with the values for its arguments in an array.
    ///
    /// - Throws: ``PredicateSyntaxError``, which points at the column.
    public init(_ text: String, arguments: [any PredicateArgument]) throws {
        var parser = try PredicateParser(text, arguments: arguments)
        self = try parser.wholePredicate()
    }
}

extension FetchPredicate: CustomStringConvertible {
    /// The predicate in the text format; reading it gives an equal predicate.
    public var description: String { PredicatePrinter().text(self) }

    /// The predicate with its constants left out, fit for logs and errors.
    public var redactedDescription: String { PredicatePrinter(hidesValues: true).text(self) }
}

extension FetchPredicate: Codable {
    /// Reads the predicate from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(container.decode(String.self), arguments: [])
        } catch let error as PredicateSyntaxError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the predicate as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension FetchExpression {
    /// Reads a value from text, such as `score * 2` or `players.@count`.
    ///
    /// - Throws: ``PredicateSyntaxError``, which points at the column.
    public init(_ text: String, _ arguments: (any PredicateArgument)?...) throws {
        try self.init(text, arguments: arguments.map { $0 ?? StoredValue.null })
    }

    /// Reads a value from text, with the values for its arguments in an array.
    ///
    /// - Throws: ``PredicateSyntaxError``, which points at the column.
    public init(_ text: String, arguments: [any PredicateArgument]) throws {
        var parser = try PredicateParser(text, arguments: arguments)
        self = try parser.wholeExpression()
    }
}

extension FetchExpression: CustomStringConvertible {
    /// The value in the text format; reading it gives an equal value.
    public var description: String { PredicatePrinter().text(self) }

    /// The value with its constants left out, fit for logs and errors.
    public var redactedDescription: String { PredicatePrinter(hidesValues: true).text(self) }
}

extension FetchExpression: Codable {
    /// Reads the value from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(container.decode(String.self))
        } catch let error as PredicateSyntaxError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the value as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension PropertyPath: CustomStringConvertible {
    /// The path as predicates write it.
    public var description: String { PredicatePrinter().text(self) }
}

extension PropertyPath: Codable {
    /// Reads the path from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard case .path(let path) = try? FetchExpression(container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is no path.")
        }
        self = path
    }

    /// Writes the path as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
