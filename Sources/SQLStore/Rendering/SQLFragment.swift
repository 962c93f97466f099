/// A piece of SQL: text that this library wrote, names and values.
///
/// What a model or a user brings is a name or a value, never text, so it can't change what a statement means.
package struct SQLFragment: Hashable, Sendable {
    /// A part of a fragment.
    package enum Segment: Hashable, Sendable {
        /// SQL, word for word.
        case text(String)
        /// A name, to be quoted.
        case identifier(String)
        /// The name of a table or a function of the store's, to be quoted, and found where the store is and nowhere else.
        case stored(String)
        /// A value, to be bound.
        case binding(SQLBinding)
        /// A text that is a value where none can be bound, to be quoted.
        case quoted(String)
    }

    /// The parts, in order.
    package private(set) var segments: [Segment]

    /// Makes an empty fragment.
    package init() {
        segments = []
    }

    /// Adds a part.
    package mutating func append(_ segment: Segment) {
        if case .text(let new) = segment, case .text(let last)? = segments.last {
            segments[segments.count - 1] = .text(last + new)
        } else {
            segments.append(segment)
        }
    }

    /// Adds another fragment.
    package mutating func append(_ fragment: SQLFragment) {
        for segment in fragment.segments { append(segment) }
    }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { segments.isEmpty }

    /// The fragment for people to read: names without quotes, and nothing of the values.
    var withoutValues: String {
        segments.map { segment in
            switch segment {
            case .text(let text), .identifier(let text), .stored(let text): text
            case .binding, .quoted: "…"
            }
        }.joined()
    }
}

/// The only way to write one: literals become text, and what is put in says what it is.
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

        /// A table or a function of the store's: `"game"`, or `"app"."game"` in a database with schemas.
        package mutating func appendInterpolation(stored name: String) {
            fragment.append(.stored(name))
        }

        /// An alias that a compiler made up, `t0`: it needs no quotes.
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

        /// A text that is a value: `'Ann''s'`.
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
