import ContextCore
import Foundation

/// The totals of one property over the objects of an entity.
struct PropertyTally: Sendable {
    /// The number of objects that have no value, or refer to no object.
    private(set) var empty = 0
    /// The total number of objects that a relationship points to.
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

    /// The sum of the numbers, as text; nil if there are no numbers.
    var sum: String? { exact.map { "\($0)" } ?? floating.map { "\($0)" } }

    func json(isRelationship: Bool) -> JSONValue {
        .object([
            "empty": .int(empty), "sum": sum.map(JSONValue.string) ?? .null,
            "links": isRelationship ? .int(links) : .null,
        ])
    }
}

/// The values of one property before and after a migration.
struct PropertyChange: Sendable {
    /// An object whose value differs.
    struct Example: Sendable {
        let object: String
        let before: String
        let after: String
    }

    let path: String
    /// The path before the migration; nil if the property is new.
    let olderPath: String?
    let isRelationship: Bool
    var before = PropertyTally()
    var after = PropertyTally()
    /// The number of objects whose value the migration has changed.
    private(set) var different = 0
    private(set) var examples: [Example] = []

    static let maximumExamples = 3

    mutating func recordDifference(_ object: String, _ before: String, _ after: String) {
        different += 1
        if examples.count < Self.maximumExamples {
            examples.append(Example(object: object, before: before, after: after))
        }
    }

    /// Whether the path, the totals, or the value of any object differs.
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
