/// The words that the text format keeps for itself, in whatever case they are written.
///
/// A property of such a name is written with a `#` before it.
enum PredicateKeyword: String, CaseIterable {
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

    /// Finds the keyword that a word is.
    init?(word: String) {
        guard let keyword = Self.byText[word.lowercased()] else { return nil }
        self = keyword
    }

    /// The comparison that the keyword stands for.
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

    /// The quantifier that the keyword stands for.
    var quantifier: Quantifier? {
        switch self {
        case .any, .some: .any
        case .all: .all
        case .none: .no
        default: nil
        }
    }
}
