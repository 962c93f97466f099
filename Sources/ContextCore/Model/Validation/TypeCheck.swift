import Foundation

/// A check that every store can represent a value of an attribute's type.
enum TypeCheck: Sendable {
    /// One attribute of a composite.
    struct Part: Sendable {
        let name: String
        let validation: ValueValidation
    }

    case anything
    case bool
    case integer(bits: Int, ClosedRange<Int64>)
    case float
    case double
    /// A decimal number less than a power of ten, with the given number of fractional digits.
    case decimal(whole: Int, below: Decimal, scale: Int)
    case string
    case data
    case date
    case uuid
    case url
    case json
    case composite([Part])

    init(_ type: AttributeType) {
        self =
            switch type {
            case .bool: .bool
            case .int16: .integer(bits: 16, Int64(Int16.min)...Int64(Int16.max))
            case .int32: .integer(bits: 32, Int64(Int32.min)...Int64(Int32.max))
            case .int64: .integer(bits: 64, Int64.min...Int64.max)
            case .float: .float
            case .double: .double
            case .decimal(let precision, let scale):
                .decimal(whole: precision - scale, below: pow(10, precision - scale), scale: scale)
            case .string: .string
            case .data: .data
            case .date: .date
            case .uuid: .uuid
            case .url: .url
            case .codable: .json
            case .composite(let parts):
                .composite(
                    parts.sortedByBytes(of: \.name).map {
                        Part(name: $0.name, validation: ValueValidation($0))
                    })
            }
    }

    func failure(of value: StoredValue) -> ValueFailure? {
        switch (self, value) {
        case (.anything, _), (.bool, .bool), (.data, .data), (.uuid, .uuid): nil
        case (.integer(let bits, let range), .int(let number)):
            range.contains(number) ? nil : ValueFailure(.capacity, "must fit a \(bits)-bit integer")
        case (.double, .double(let number)): Self.failure(ofNumber: number)
        case (.float, .double(let number)): Self.failure(ofFloat: number)
        case (.decimal(let whole, let limit, let scale), .decimal(let number)):
            Self.failure(of: number, whole: whole, below: limit, scale: scale)
        case (.string, .string(let text)): Self.failure(of: text)
        case (.url, .string(let text)): Self.failure(ofURL: text)
        case (.json, .string(let text)): Self.failure(ofJSON: text)
        case (.date, .timestamp(let microseconds)):
            Self.dateRange.contains(microseconds)
                ? nil : ValueFailure(.dateRange, "must lie between the years -4712 and 294246")
        default: ValueFailure(.type, "must be \(expectation), not \(value.kindName)")
        }
    }

    /// The dates that PostgreSQL's timestamptz can represent, except for the two to which dates beyond 64 bits are clamped.
    ///
    /// "4713 BC … 294276 AD" by its manual (https://www.postgresql.org/docs/current/datatype-datetime.html); 64 bits of
    /// microseconds since 1970 end in the year 294247.
    static let dateRange: ClosedRange<Int64> = -210_866_803_200_000_000...(Int64.max - 1)

    private var expectation: String {
        switch self {
        case .anything: "anything"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .float, .double: "a floating-point number"
        case .decimal: "a decimal number"
        case .string: "text"
        case .data: "data"
        case .date: "a date"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .json: "JSON text"
        case .composite: "a composite"
        }
    }
}

extension TypeCheck {
    private static func failure(ofNumber number: Double) -> ValueFailure? {
        number.isNaN ? ValueFailure(.notANumber, "must be a number, not NaN") : nil
    }

    private static func failure(ofFloat number: Double) -> ValueFailure? {
        if let failure = failure(ofNumber: number) { return failure }
        return Double(Float(number)) == number
            ? nil : ValueFailure(.capacity, "must be a number that 32 bits represent exactly")
    }

    private static func failure(
        of number: Decimal, whole: Int, below limit: Decimal, scale: Int
    ) -> ValueFailure? {
        if number.isNaN { return ValueFailure(.notANumber, "must be a number, not NaN") }
        guard number.magnitude < limit, -number.exponent <= scale || number == number.rounded(to: scale)
        else {
            return ValueFailure(
                .digits, "must have at most \(whole) digits before and \(scale) after the decimal point")
        }
        return nil
    }

    private static func failure(of text: String) -> ValueFailure? {
        text.containsNUL
            ? ValueFailure(.containsNUL, "must not contain the character NUL (U+0000)") : nil
    }

    private static func failure(ofURL text: String) -> ValueFailure? {
        if let failure = failure(of: text) { return failure }
        return URL(string: text) == nil ? ValueFailure(.url, "must be a URL") : nil
    }

    private static func failure(ofJSON text: String) -> ValueFailure? {
        do throws(JSONSyntaxError) {
            return try JSONDocument(text).root.containsNUL
                ? ValueFailure(.containsNUL, "must not contain the character NUL (U+0000)") : nil
        } catch {
            return ValueFailure(
                .json,
                error.isNestedTooDeeply
                    ? "must be JSON nested at most \(JSONParser.maximumDepth) levels deep"
                    : "must be JSON text")
        }
    }
}

extension Decimal {
    /// Returns the number with the given number of fractional digits.
    fileprivate func rounded(to scale: Int) -> Decimal {
        var exact = self
        var rounded = Decimal()
        NSDecimalRound(&rounded, &exact, scale, .plain)
        return rounded
    }
}
