import ContextCore

/// The place of an error in a text that the user wrote, for programs that show the text.
struct TextPosition: Equatable, Sendable {
    /// The part of a request that the text is.
    enum Clause: String, Sendable {
        case predicate = "where"
        case order, fields

        /// What a message calls the text.
        var title: String {
            switch self {
            case .predicate: "predicate"
            case .order: "sort order"
            case .fields: "field"
            }
        }
    }

    /// The line, from 1.
    let line: Int
    /// The column in Unicode scalars, from 1; it may be one after the end.
    let column: Int
    /// The text of the line.
    let text: String
    /// The part of a request; nil for other texts.
    var clause: Clause?

    var json: JSONValue {
        .object([
            "line": .int(line), "column": .int(column), "text": .string(text),
            "clause": clause.map { .string($0.rawValue) } ?? .null,
        ])
    }

    /// Returns the position with secrets removed from its text.
    func redacted(_ secrets: SecretLedger) -> TextPosition {
        TextPosition(line: line, column: column, text: secrets.redacted(text), clause: clause)
    }
}

extension TextPosition {
    init(_ position: StatementPosition) {
        self.init(line: position.line, column: position.column, text: position.text)
    }

    /// Calls a closure that parses and checks a text, and adds the place in the text to its errors, with a caret below it.
    static func locating<Value>(_ clause: Clause, _ text: String, _ body: () throws -> Value) throws -> Value
    {
        do {
            return try body()
        } catch let error as PredicateSyntaxError {
            throw AdminError(error, in: clause).marked(in: text)
        } catch {
            var located = AdminError(error)
            if let quoted = (error as? StoreError).flatMap({ quotedPart(of: $0.message) }) {
                located.position = position(of: quoted, in: text, clause)
                // A caret adds nothing if the quoted part is the whole text.
                if quoted != text { throw located.marked(in: text) }
            }
            throw located
        }
    }

    /// Returns the part of a request that an error quotes at its start.
    private static func quotedPart(of message: String) -> String? {
        guard message.hasPrefix("“"), let end = message.range(of: "”:") else { return nil }
        let part = message[..<end.lowerBound].dropFirst()
        return part.isEmpty ? nil : String(part)
    }

    /// Returns the place of the first token with which a part of a text starts; nil if the part is written otherwise in the text.
    private static func position(of part: String, in text: String, _ clause: Clause) -> TextPosition? {
        var lexer = PredicateLexer(text)
        let bytes = Array(text.utf8)
        let wanted = Array(part.utf8)
        guard let tokens = try? lexer.tokens() else { return nil }
        let ends = Set(tokens.map(\.range.upperBound))
        guard
            let start = tokens.map(\.range.lowerBound).first(where: {
                bytes[$0...].starts(with: wanted) && ends.contains($0 + wanted.count)
            })
        else { return nil }
        let newline = UInt8(ascii: "\n")
        let lineStart = bytes[..<start].lastIndex(of: newline).map { $0 + 1 } ?? 0
        let lineEnd = bytes[start...].firstIndex(of: newline) ?? bytes.count
        return TextPosition(
            line: 1 + bytes[..<lineStart].count { $0 == newline },
            column: 1 + bytes[lineStart..<start].count { $0 & 0xC0 != 0x80 },
            text: String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self), clause: clause)
    }
}

extension AdminError {
    /// Returns the error with the line of its position below its message, and a caret below the place in it.
    ///
    /// The message has no column: the position counts from the start of the clause, not of the command that the user typed. If the clause
    /// has several lines, the message has the number of the line in it.
    ///
    /// - Parameter text: The whole text of the clause.
    fileprivate func marked(in text: String) -> AdminError {
        guard let position else { return self }
        var error = self
        if text.utf8.contains(UInt8(ascii: "\n")), let clause = position.clause {
            error.message += "\nLine \(position.line) of the \(clause.title):"
        }
        error.message += "\n" + Self.marked(MarkedLine(text: position.text, column: position.column))
        return error
    }
}
