/// The violation of an attribute's rule by a value; it doesn't contain the value.
public struct ValueFailure: Sendable, Hashable {
    /// The violated rule.
    public var rule: Rule
    /// The part of a composite attribute with the invalid value; nil for other attributes.
    public var part: String?
    /// The requirement, as the end of a sentence that starts with the property: `must be at least 0`.
    public var message: String
    /// The size of the value that was found, such as `90 characters`; nil if the rule isn't about a length.
    ///
    /// It never contains the value.
    public var valueKind: String?

    init(_ rule: Rule, _ message: String, valueKind: String? = nil) {
        self.rule = rule
        self.message = message
        self.valueKind = valueKind
    }

    /// Returns the failure with the name of the composite's part in which it occurred.
    func inPart(_ part: String) -> ValueFailure {
        var failure = self
        failure.part = part
        return failure
    }
}

extension ValueFailure {
    /// A rule that a value can violate.
    public struct Rule: Sendable, Hashable, CustomStringConvertible {
        /// The name of the rule, which stays the same in all versions.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// A required attribute is nil.
        public static let required = Rule("required")
        /// The value has another type than the attribute.
        public static let type = Rule("type")
        /// A number doesn't fit the attribute's type.
        public static let capacity = Rule("capacity")
        /// The number is NaN, which databases treat differently.
        public static let notANumber = Rule("notANumber")
        /// The text contains the character NUL, which databases treat differently.
        public static let containsNUL = Rule("containsNUL")
        /// A decimal number has more digits than the attribute declares.
        public static let digits = Rule("digits")
        /// A date is outside the range that every store supports.
        public static let dateRange = Rule("dateRange")
        /// Text isn't a URL.
        public static let url = Rule("url")
        /// Text isn't JSON.
        public static let json = Rule("json")
        /// The value is less than the declared minimum.
        public static let minimum = Rule("minimum")
        /// The value is greater than the declared maximum.
        public static let maximum = Rule("maximum")
        /// Text or data is shorter than the declared minimum.
        public static let minimumLength = Rule("minimumLength")
        /// Text or data is longer than the declared maximum.
        public static let maximumLength = Rule("maximumLength")
        /// Text doesn't match the declared pattern.
        public static let pattern = Rule("pattern")
    }
}
