/// Says which rule of its attribute a value breaks; never the value itself.
public struct ValueFailure: Sendable, Hashable {
    /// The rule that was broken.
    public var rule: Rule
    /// The part of a composite attribute that broke it; nil for other attributes.
    public var part: String?
    /// Says what the rule asks for, as the end of a sentence that the property begins: `must be at least 0`.
    public var message: String
    /// What kind of value there was: `text of 90 characters`.
    ///
    /// Never the value.
    public var valueKind = ""

    init(_ rule: Rule, _ message: String) {
        self.rule = rule
        self.message = message
    }

    /// The same failure, of a value.
    func of(_ value: StoredValue) -> ValueFailure {
        var failure = self
        failure.valueKind = value.sizedKindName
        return failure
    }

    /// The same failure, of a composite's part.
    func inside(_ part: String) -> ValueFailure {
        var failure = self
        failure.part = part
        return failure
    }
}

extension ValueFailure {
    /// Names a rule that a value can break.
    public struct Rule: Sendable, Hashable, CustomStringConvertible {
        /// The rule's name, which never changes.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// A required attribute has no value.
        public static let required = Rule("required")
        /// The value is of another type than the attribute.
        public static let type = Rule("type")
        /// A number doesn't fit the attribute's type.
        public static let capacity = Rule("capacity")
        /// The number is NaN, which stores don't keep alike.
        public static let notANumber = Rule("notANumber")
        /// Text contains the character NUL, which stores don't keep alike.
        public static let containsNUL = Rule("containsNUL")
        /// A decimal number has more digits than were declared.
        public static let digits = Rule("digits")
        /// A moment lies outside what every store keeps.
        public static let momentRange = Rule("momentRange")
        /// Text isn't a URL.
        public static let url = Rule("url")
        /// Text isn't JSON.
        public static let json = Rule("json")
        /// The value is less than the declared minimum.
        public static let minimum = Rule("minimum")
        /// The value is greater than the declared maximum.
        public static let maximum = Rule("maximum")
        /// Text or data is shorter than declared.
        public static let minimumLength = Rule("minimumLength")
        /// Text or data is longer than declared.
        public static let maximumLength = Rule("maximumLength")
        /// Text doesn't match the declared pattern.
        public static let pattern = Rule("pattern")
    }
}
