/// A piece of SQL: text of this library, identifiers and values.
///
/// Input from models and users is an identifier or a value, never text, which rules out SQL injection.
package struct SQLFragment: Hashable, Sendable {
    /// A part of a fragment.
    package enum Segment: Hashable, Sendable {
        /// Literal SQL.
        case text(String)
        /// An identifier, which is quoted.
        case identifier(String)
        /// The name of a table or function of the store, which is quoted and qualified with the store's schema.
        case stored(String)
        /// A value, which is bound.
        case binding(SQLBinding)
        /// A string literal, for statements that can't have parameters.
        case quoted(String)
    }

    /// The parts, in order.
    package private(set) var segments: [Segment]

    /// Creates an empty fragment.
    package init() {
        segments = []
    }

    /// Appends a part.
    package mutating func append(_ segment: Segment) {
        if case .text(let new) = segment, case .text(let last)? = segments.last {
            segments[segments.count - 1] = .text(last + new)
        } else {
            segments.append(segment)
        }
    }

    /// Appends another fragment.
    package mutating func append(_ fragment: SQLFragment) {
        for segment in fragment.segments { append(segment) }
    }

    /// Whether the fragment is empty.
    package var isEmpty: Bool { segments.isEmpty }

    /// The fragment for error messages: identifiers without quotes, and “…” in place of values.
    var withoutValues: String {
        segments.map { segment in
            switch segment {
            case .text(let text), .identifier(let text), .stored(let text): text
            case .binding, .quoted: "…"
            }
        }.joined()
    }
}

/// String interpolation is the only way to create a fragment: literals become text, and labels classify the rest.
extension SQLFragment: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var fragment = SQLFragment()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { fragment.append(.text("\(literal)")) }
        }

        package mutating func appendInterpolation(_ fragment: SQLFragment) {
            self.fragment.append(fragment)
        }

        package mutating func appendInterpolation(name: String) {
            fragment.append(.identifier(name))
        }

        /// A table or function of the store: `"game"`, or `"app"."game"` in a database with schemas.
        package mutating func appendInterpolation(stored name: String) {
            fragment.append(.stored(name))
        }

        /// A generated alias such as `t0`, which needs no quotes.
        package mutating func appendInterpolation(table alias: String) {
            fragment.append(.text(alias))
        }

        package mutating func appendInterpolation(_ binding: SQLBinding) {
            fragment.append(.binding(binding))
        }

        package mutating func appendInterpolation(number: some FixedWidthInteger) {
            fragment.append(.text(String(number)))
        }

        /// A finite number: `0.5`.
        package mutating func appendInterpolation(number: Double) {
            fragment.append(.text(String(number)))
        }

        /// A string literal such as `'Ann''s'`.
        package mutating func appendInterpolation(quoted text: String) {
            fragment.append(.quoted(text))
        }
    }

    package init(stringLiteral value: StaticString) {
        self.init()
        let text = "\(value)"
        if !text.isEmpty { append(.text(text)) }
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.fragment
    }
}

extension Collection<SQLFragment> {
    /// The fragments with a separator between them.
    package func joined(by separator: SQLFragment = ", ") -> SQLFragment {
        var joined = SQLFragment()
        for (index, fragment) in enumerated() {
            if index > 0 { joined.append(separator) }
            joined.append(fragment)
        }
        return joined
    }
}
