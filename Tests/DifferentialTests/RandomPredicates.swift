import Foundation

@testable import ContextCore

/// A generator of predicates, most of which are valid for a model.
struct RandomPredicates {
    let model: ObjectModel
    var values: RandomValues

    /// The entity that a predicate tests, and its variable.
    struct Scope {
        let layout: EntityLayout
        var variable: String?
        var depth = 0
    }

    var random: SeededGenerator {
        get { values.random }
        set { values.random = newValue }
    }

    mutating func predicate(_ scope: Scope, depth: Int) -> FetchPredicate {
        guard depth > 0 else { return comparison(scope, depth: 0) }
        switch random.count(0...13) {
        case 0, 1: return .and((0..<random.count(2...3)).map { _ in predicate(scope, depth: depth - 1) })
        case 2, 3: return .or((0..<random.count(2...3)).map { _ in predicate(scope, depth: depth - 1) })
        case 4: return .not(predicate(scope, depth: depth - 1))
        case 5: return .truth(predicate(scope, depth: depth - 1), is: random.pick(PredicateTruth.allCases))
        case 6, 7: return quantified(scope, depth: depth - 1)
        case 8: return isEntity(scope)
        default: return comparison(scope, depth: depth)
        }
    }

    private mutating func quantified(_ scope: Scope, depth: Int) -> FetchPredicate {
        guard scope.depth < 3, let (path, destination) = collection(scope) else {
            return comparison(scope, depth: depth)
        }
        let attributes = destination.properties.filter {
            $0.attribute.flatMap { ValueKind($0.type) }?.isOrdered == true
        }
        if random.chance(30), !attributes.isEmpty { return quantified(path, random.pick(attributes)) }
        let variable = "v\(scope.depth)"
        let inner = Scope(layout: destination, variable: variable, depth: scope.depth + 1)
        return .quantified(
            random.pick(Quantifier.allCases), in: path, variable: variable, predicate(inner, depth: depth))
    }

    /// Returns a quantified predicate in its short form, without a variable: `ANY players.name = "Ann"`.
    private mutating func quantified(_ path: PropertyPath, _ attribute: PropertyLayout) -> FetchPredicate {
        let kind = attribute.attribute.flatMap { ValueKind($0.type) } ?? .integer
        let signs: [ComparisonOperator] = [.equal, .notEqual, .less, .greaterOrEqual]
        return .comparison(
            PredicateComparison(
                .path(path.appending([attribute.name])), random.pick(signs), .literal(literal(kind)),
                options: kind == .string ? options() : [], quantifier: random.pick(Quantifier.allCases)))
    }

    private mutating func isEntity(_ scope: Scope) -> FetchPredicate {
        let root = model.layouts[scope.layout.rootIndex]
        let names = root.familyIndices.map { model.layouts[$0].name }
        return .isEntity(PropertyPath([], of: scope.variable), name: random.pick(names))
    }

    // MARK: Comparisons

    private mutating func comparison(_ scope: Scope, depth: Int) -> FetchPredicate {
        let kind = random.pick(ValueKind.allCases)
        if kind == .object, random.chance(60) { return objectComparison(scope) }
        let left = expression(kind, scope, depth: depth)
        switch random.count(0...9) {
        case 0: return .comparing(left, random.chance(50) ? .equal : .notEqual, .literal(.null))
        case 1, 2: return .comparing(left, .in, .list(list(kind)))
        case 3 where kind.isOrdered:
            return .comparing(left, .between, .list([.literal(literal(kind)), .literal(literal(kind))]))
        case 4, 5,
            6 where kind == .string:
            return text(left, scope, depth: depth)
        default:
            let sign: ComparisonOperator =
                kind.isOrdered
                ? random.pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
                : random.pick([.equal, .notEqual])
            let right =
                random.chance(60) ? .literal(literal(kind)) : expression(kind, scope, depth: depth)
            return .comparing(left, sign, right, options: kind == .string ? options() : [])
        }
    }

    /// Compares the object at the end of a chain of to-one relationships with objects that may exist.
    private mutating func objectComparison(_ scope: Scope) -> FetchPredicate {
        if random.chance(20) {
            let itself = FetchExpression.path(PropertyPath([], of: scope.variable))
            let sign: ComparisonOperator = random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual])
            return .comparing(itself, sign, object(scope.layout))
        }
        let (names, layout) = toOne(scope)
        let left = FetchExpression.path(PropertyPath(names, of: scope.variable))
        switch random.count(0...2) {
        case 0:
            return .comparing(left, .in, .list((0..<random.count(0...20)).map { _ in object(layout) }))
        case 1: return .comparing(left, .notEqual, object(layout))
        default: return .comparing(left, .equal, object(layout))
        }
    }

    /// Requests without a store accept objects of any store.
    private static let anyStore = UUID()

    private mutating func object(_ layout: EntityLayout) -> FetchExpression {
        let member = model.layouts[random.pick(layout.familyIndices)]
        return .object(ObjectID(storeID: Self.anyStore, member.name, key: Int64(random.count(1...40))))
    }

    private mutating func list(_ kind: ValueKind) -> [FetchExpression] {
        (0..<random.count(random.chance(85) ? 0...4 : 17...40)).map { _ in .literal(literal(kind)) }
    }

    private mutating func text(_ left: FetchExpression, _ scope: Scope, depth: Int) -> FetchPredicate {
        let options = options()
        switch random.count(0...5) {
        case 0: return .comparing(left, .like, .literal(.string(pattern())), options: options)
        case 1: return .comparing(left, .matches, .literal(.string(expressionText())), options: options)
        default:
            let right =
                random.chance(70)
                ? .literal(.string(values.text())) : expression(.string, scope, depth: depth)
            return .comparing(
                left, random.pick([.beginsWith, .endsWith, .contains]), right, options: options)
        }
    }

    private mutating func options() -> TextOptions {
        random.chance(60) ? [] : TextOptions(rawValue: random.count(1...3))
    }

    private mutating func pattern() -> String {
        let pieces = ["*", "?", "a", "B", "é", "\\*", "ß", "'", "%", "_"]
        return (0..<random.count(0...4)).map { _ in random.pick(pieces) }.joined()
    }

    private mutating func expressionText() -> String {
        random.pick([
            "a*", ".*", "[a-z]+", "[^a]*", "(a|b)+.?", "\\w*", "a{1,2}b?", "É.*", ".{2}", "\\d+", "'.*",
            "[é日].*",
        ])
    }

    // MARK: Paths

    /// Returns a chain of to-one relationships from a scope, and the entity at its end.
    mutating func toOne(_ scope: Scope) -> ([String], EntityLayout) {
        var names: [String] = []
        var layout = scope.layout
        while names.count < 3, random.chance(30) {
            let hops = layout.properties.compactMap { property in
                property.relationship.flatMap { $0.description.isToMany ? nil : $0 }
            }
            if hops.isEmpty { break }
            let hop = random.pick(hops)
            names.append(hop.description.name)
            layout = model.layouts[hop.destinationIndex]
        }
        return (names, layout)
    }

    /// Returns a path that ends with a to-many relationship, and its destination.
    mutating func collection(_ scope: Scope) -> (PropertyPath, EntityLayout)? {
        let (names, layout) = toOne(scope)
        let many = layout.properties.compactMap { property in
            property.relationship.flatMap { $0.description.isToMany ? $0 : nil }
        }
        if many.isEmpty { return nil }
        let relationship = random.pick(many)
        return (
            PropertyPath(names + [relationship.description.name], of: scope.variable),
            model.layouts[relationship.destinationIndex]
        )
    }
}

extension ObjectID {
    /// Creates the identifier of an object that may exist.
    init(storeID: UUID, _ entityName: String, key: Int64) {
        self.init(
            space: IdentifierSpace(storeID: storeID, entityName: entityName, rootIndex: nil), key: key)
    }
}
