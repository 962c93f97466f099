/// A parser of comma-separated values (RFC 4180), which gets UTF-8 in pieces of any size and passes on complete records.
///
/// A line ends with LF, CRLF or CR. Lines without any character are skipped. A quotation mark inside an unquoted field is part of the text.
/// It keeps one record in memory, of limited size.
struct CSVReader {
    /// A field of a record.
    struct Field: Equatable, Sendable {
        let text: String
        /// Whether the field is in quotation marks, which distinguishes an empty text from no value.
        let isQuoted: Bool
    }

    /// A record, which may extend over several lines.
    struct Record: Equatable, Sendable {
        /// The number of its first line, counted from 1.
        let line: Int
        let fields: [Field]
    }

    /// The maximum sizes of a record.
    struct Limits: Sendable {
        var recordBytes = 16 << 20
        var fields = 4096
    }

    /// A record that can't be parsed.
    struct Failure: Error, Equatable {
        enum Reason: Equatable, Sendable {
            /// The file ends inside of quotation marks.
            case unclosedQuote
            /// A closing quotation mark is followed by text.
            case textAfterQuote
            case tooManyFields(limit: Int)
            case tooLong(limit: Int)
        }

        /// The number of the record's first line.
        let line: Int
        let reason: Reason
    }

    private enum State {
        case recordStart, fieldStart, unquoted, quoted, closingQuote
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let quote = UInt8(ascii: "\"")

    private let delimiter: UInt8
    private let limits: Limits
    private var state = State.recordStart
    private var field: [UInt8] = []
    private var isQuoted = false
    private var fields: [Field] = []
    private var recordBytes = 0
    /// The number of the current line.
    private var line = 1
    /// The number of the first line of the current record.
    private var recordLine = 1
    private var previousWasReturn = false

    /// - Parameter delimiter: The character between fields, which must be ASCII and neither a quotation mark nor a line end.
    init(delimiter: UInt8 = UInt8(ascii: ","), limits: Limits = Limits()) {
        self.delimiter = delimiter
        self.limits = limits
    }

    /// Parses a piece of the file, and passes on each record that ends in it.
    mutating func read(_ bytes: [UInt8], _ body: (Record) throws -> Void) throws {
        var rest = bytes[...]
        while let byte = rest.first {
            let text = plainText(rest)
            if text.isEmpty {
                if let record = try append(byte) { try body(record) }
                rest = rest.dropFirst()
            } else {
                try appendToField(text)
                previousWasReturn = false
                rest = rest[text.endIndex...]
            }
        }
    }

    /// Returns the bytes at the beginning that only continue the current field.
    private func plainText(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let end: UInt8
        switch state {
        case .unquoted: end = delimiter
        case .quoted: end = Self.quote
        case .recordStart, .fieldStart, .closingQuote: return []
        }
        return bytes.prefix { $0 != end && $0 != Self.lineFeed && $0 != Self.carriageReturn }
    }

    /// Ends the file, and passes on the last record if no line end follows it.
    mutating func finish(_ body: (Record) throws -> Void) throws {
        switch state {
        case .recordStart: return
        case .quoted: throw failure(.unclosedQuote)
        case .fieldStart, .unquoted, .closingQuote: try body(endRecord())
        }
    }

    /// Appends a byte; returns the record that it ends.
    private mutating func append(_ byte: UInt8) throws(Failure) -> Record? {
        let isLineEnd = byte == Self.lineFeed || byte == Self.carriageReturn
        let isSecondHalf = byte == Self.lineFeed && previousWasReturn
        previousWasReturn = byte == Self.carriageReturn
        defer { if isLineEnd, !isSecondHalf { line += 1 } }
        switch state {
        case .recordStart:
            if isLineEnd { return nil }
            recordLine = line
            state = .fieldStart
            return try beginField(byte, isLineEnd: false)
        case .fieldStart: return try beginField(byte, isLineEnd: isLineEnd)
        case .unquoted: return try continueField(byte, isLineEnd: isLineEnd)
        case .quoted:
            if byte == Self.quote { state = .closingQuote } else { try appendToField(CollectionOfOne(byte)) }
            return nil
        case .closingQuote:
            if byte == Self.quote {
                state = .quoted
                try appendToField(CollectionOfOne(byte))
                return nil
            }
            guard byte == delimiter || isLineEnd else { throw failure(.textAfterQuote) }
            return try continueField(byte, isLineEnd: isLineEnd)
        }
    }

    private mutating func beginField(_ byte: UInt8, isLineEnd: Bool) throws(Failure) -> Record? {
        if byte == Self.quote {
            isQuoted = true
            state = .quoted
            return nil
        }
        state = .unquoted
        return try continueField(byte, isLineEnd: isLineEnd)
    }

    private mutating func continueField(_ byte: UInt8, isLineEnd: Bool) throws(Failure) -> Record? {
        if isLineEnd { return try endRecord() }
        if byte == delimiter {
            try endField()
            state = .fieldStart
        } else {
            try appendToField(CollectionOfOne(byte))
        }
        return nil
    }

    private mutating func appendToField(_ text: some Collection<UInt8>) throws(Failure) {
        guard text.count <= limits.recordBytes - recordBytes else {
            throw failure(.tooLong(limit: limits.recordBytes))
        }
        recordBytes += text.count
        field.append(contentsOf: text)
    }

    private mutating func endField() throws(Failure) {
        guard fields.count < limits.fields else { throw failure(.tooManyFields(limit: limits.fields)) }
        fields.append(Field(text: String(decoding: field, as: UTF8.self), isQuoted: isQuoted))
        field.removeAll(keepingCapacity: true)
        isQuoted = false
    }

    private mutating func endRecord() throws(Failure) -> Record {
        try endField()
        let record = Record(line: recordLine, fields: fields)
        fields.removeAll(keepingCapacity: true)
        recordBytes = 0
        state = .recordStart
        return record
    }

    private func failure(_ reason: Failure.Reason) -> Failure { Failure(line: recordLine, reason: reason) }
}

extension CSVReader.Failure.Reason {
    /// The reason as the rest of a sentence about the record.
    var text: String {
        switch self {
        case .unclosedQuote: "has a quotation mark that isn't closed"
        case .textAfterQuote: "has text after a closing quotation mark"
        case .tooManyFields(let limit): "has more than \(limit) fields"
        case .tooLong(let limit): "has more than \(limit) bytes"
        }
    }
}
