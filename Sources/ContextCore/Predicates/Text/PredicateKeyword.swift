/// A reserved word of the text format, in any case.
///
/// A property with such a name is written with a `#` before it.
package enum PredicateKeyword: String, CaseIterable {
    case and, or, not
    case any, some, all, none
    case `in`, between, beginsWith, endsWith, contains, like, matches
    case `is`
    case yes, no, `true`, `false`, `nil`, null
    case itself = "self"
    case truePredicate, falsePredicate
    case subquery, ternary, cast

    private static let byText = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })

    /// Makes the keyword from a word in any case; nil if the word isn't reserved.
    init?(word: String) {
        guard let keyword = Self.byText[word.lowercased()] else { return nil }
        self = keyword
    }

    /// The operator that the keyword names, if any.
    var comparison: ComparisonOperator? {
        switch self {
        case .in: .in
        case .between: .between
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .contains: .contains
        case .like: .like
        case .matches: .matches
        default: nil
        }
    }

    /// The quantifier that the keyword names, if any.
    var quantifier: Quantifier? {
        switch self {
        case .any, .some: .any
        case .all: .all
        case .none: .no
        default: nil
        }
    }
}
