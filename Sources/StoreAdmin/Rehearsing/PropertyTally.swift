import ContextCore
import Foundation

/// What the objects of an entity have of one property: how many have nothing, and the sum of the numbers.
struct PropertyTally: Sendable {
    /// How many objects have no value, or refer to no object.
    private(set) var empty = 0
    /// How many objects a relationship leads to, in all.
    private(set) var links = 0
    private var exact: Decimal?
    private var floating: Double?

    mutating func add(_ value: StoredValue) {
        switch value {
        case .null: empty += 1
        case .int(let number): exact = (exact ?? 0) + Decimal(number)
        case .decimal(let number): exact = (exact ?? 0) + number
        case .double(let number): floating = (floating ?? 0) + number
        case .composite(let parts) where parts.allSatisfy(\.isNull): empty += 1
        default: break
        }
    }

    mutating func add(targets: [Int64]) {
        if targets.isEmpty { empty += 1 }
        links += targets.count
    }

    /// The sum, as text; nil where there are no numbers.
    var sum: String? { exact.map { "\($0)" } ?? floating.map { "\($0)" } }

    func json(isRelationship: Bool) -> JSONValue {
        .object([
            "empty": .int(empty), "sum": sum.map(JSONValue.string) ?? .null,
            "links": isRelationship ? .int(links) : .null,
        ])
    }
}

/// One property before and after a migration.
struct PropertyChange: Sendable {
    /// An object whose value is another one.
    struct Example: Sendable {
        let object: String
        let before: String
        let after: String
    }

    let path: String
    /// What it was; nil where it is new.
    let olderPath: String?
    let isRelationship: Bool
    var before = PropertyTally()
    var after = PropertyTally()
    /// How many objects have another value than before.
    private(set) var different = 0
    private(set) var examples: [Example] = []

    static let most = 3

    mutating func note(_ object: String, _ before: String, _ after: String) {
        different += 1
        if examples.count < Self.most {
            examples.append(Example(object: object, before: before, after: after))
        }
    }

    /// Whether anything is other than it was.
    var isChange: Bool {
        different > 0 || olderPath != path || before.empty != after.empty || before.sum != after.sum
            || before.links != after.links
    }

    var json: JSONValue {
        .object([
            "property": .string(path), "was": olderPath.map(JSONValue.string) ?? .null,
            "before": before.json(isRelationship: isRelationship),
            "after": after.json(isRelationship: isRelationship), "different": .int(different),
            "examples": .array(
                examples.map {
                    .object([
                        "object": .string($0.object), "before": .string($0.before),
                        "after": .string($0.after),
                    ])
                }),
        ])
    }
}
