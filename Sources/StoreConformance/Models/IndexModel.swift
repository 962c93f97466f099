import ContextCore
import Foundation

/// The model of the cases about partial indexes: their predicates contain a value of each type.
enum IndexModel {
    static let classes: [ManagedObject.Type] = [Ware.self, Part.self]

    /// The predicates of the indexes.
    static let predicates = [
        "name != \"it's 'quoted'\\\\ -- ?1 $1\"", "price > 10", "price > 3.14159",
        "weight <= 0.1 OR weight = NIL",
        "isSold = NO AND count IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}",
        "count > -9223372036854775808", "madeAt >= date(\"2026-08-01T12:00:00.25Z\")",
        "token = uuid(\"00000000-0000-4000-8000-0000000000FF\")", "picture != data(\"AP8=\")",
        "NOT (count = 1 AND price > 1) OR (weight > 2) IS UNKNOWN",
    ]
}

@Entity(indexes: [
    .index(.ascending(\.name), where: "name != \"it's 'quoted'\\\\ -- ?1 $1\""),
    .index(.ascending(\.name), where: "price > 10"),
    .index(.ascending(\.name), where: "price > 3.14159"),
    .index(.ascending(\.name), where: "weight <= 0.1 OR weight = NIL"),
    .index(
        .descending(\.name),
        where: "isSold = NO AND count IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}"),
    .index(.ascending(\.name), where: "count > -9223372036854775808"),
    .index(.ascending(\.name), where: "madeAt >= date(\"2026-08-01T12:00:00.25Z\")"),
    .index(.ascending(\.name), where: "token = uuid(\"00000000-0000-4000-8000-0000000000FF\")"),
    .index(.ascending(\.name), where: "picture != data(\"AP8=\")"),
    .index(.ascending(\.name), where: "NOT (count = 1 AND price > 1) OR (weight > 2) IS UNKNOWN"),
]) class Ware: ManagedObject {
    var name: String
    @Attribute(.decimal(precision: 9, scale: 2)) var price: Decimal?
    var weight: Double?
    var count: Int = 0
    var isSold: Bool = false
    var madeAt: Date?
    var token: UUID?
    var picture: Data?
}

/// A subentity with an index that covers its own rows only.
@Entity(indexes: [.index(.ascending(\.name), where: "number > 1 OR name = 'a'")]) final class Part: Ware {
    var number: Int = 0
}
