import ContextCore
import Testing

struct ConstraintCheckingTests {
    private func problems(
        unique: [[String]] = [], indexes: [IndexDescription] = []
    ) -> [String] {
        let address = AttributeType.composite([
            AttributeDescription("city", .string), AttributeDescription("map", .codable),
        ])
        return ModelCheckingTests.problems([
            EntityDescription("Thing", attributes: [AttributeDescription("name", .string)]),
            EntityDescription(
                "Game", superentity: "Thing",
                attributes: [
                    AttributeDescription("title", .string), AttributeDescription("address", address),
                    AttributeDescription("size", .int64),
                    AttributeDescription("shade", .string, storage: .transient),
                    AttributeDescription("tags", .codable),
                    AttributeDescription("cover", .data, externalThreshold: 100),
                ],
                relationships: [
                    RelationshipDescription("parts", to: "Game", inverse: "whole", isToMany: true),
                    RelationshipDescription("whole", to: "Game"),
                ], indexes: indexes, uniqueConstraints: unique.map { UniqueConstraint($0) }),
        ])
    }

    @Test func `Own and inherited attributes, to-one relationships and parts of composites can be used`() {
        let names = ["title", "name", "whole", "address.city"]
        #expect(
            problems(
                unique: [names],
                indexes: [IndexDescription(names.map { .init($0, isDescending: true) }, where: "title != ''")]
            ) == [])
    }

    @Test(arguments: [
        ("colour", "the entity has no such property. Correct the name."),
        ("parts", "a to-many relationship has no column. Name the inverse in its own entity instead."),
        ("shade", "a transient attribute isn't stored. Name another."),
        ("tags", "each database stores JSON in its own form, so it can't be compared. Name another."),
        ("address.map", "each database stores JSON in its own form, so it can't be compared. Name another."),
        ("cover", "it has external storage. Name another, or remove that option."),
        ("address", "a composite has a column for each part. Name one, as in “address.city”."),
        ("address.street", "the composite has no such part. Correct the name."),
        ("title.length", "“title” has no parts. Correct the name."),
    ])
    func `Properties without a comparable column can't be used`(name: String, reason: String) {
        #expect(problems(unique: [[name]]) == ["Game.\(name): A unique constraint can't use it: \(reason)"])
        #expect(
            problems(indexes: [IndexDescription([.init(name)])])
                == ["Game.\(name): An index can't use it: \(reason)"])
    }

    @Test func `An index and a constraint name each property once, and at least one`() {
        #expect(
            problems(unique: [[]]) == ["Game: A unique constraint needs at least one property: name one."])
        #expect(
            problems(indexes: [IndexDescription([])])
                == ["Game: An index needs at least one property: name one."])
        #expect(
            problems(unique: [["title", "title"]])
                == ["Game.title: A unique constraint names this property twice: remove one."])
    }

    @Test(arguments: [
        "title != nil", "name = 'x' OR NOT title > name", "title IN {'a', 'b'}", "whole = nil",
        "address.city != nil AND address.map = nil", "size > 1.5", "size BETWEEN {1, 3}",
        "(size > 3) IS NOT TRUE",
    ])
    func `An index's predicate compares columns of its entity`(predicate: String) {
        #expect(problems(indexes: [IndexDescription(["title"], where: predicate)]) == [])
    }

    @Test(arguments: [
        (" ", "The predicate of an index can't be empty. Write a predicate, or omit the parameter."),
        (
            "size >",
            "The predicate of its index has a syntax error. Column 7: expected a value after \">\", found the end."
        ),
        (
            "size > %@",
            "The predicate of its index has a syntax error. Column 8: the argument for \"%@\" is missing."
        ),
        (
            "sise > 3",
            "The predicate of its index is invalid. “sise”: Game has no property “sise”. Did you mean “size”?"
        ),
        (
            "size > 'much'",
            "The predicate of its index is invalid. “size > …”: an integer and a string can't be compared."
        ),
        (
            "shade = 'x'",
            "The predicate of its index is invalid. “shade”: “shade” is transient, so the store doesn't contain its values. "
                + "Filter the fetched objects instead, or store the attribute."
        ),
        ("whole.size > 3", Self.reach("relationships or SELF")),
        ("ANY parts.size > 3", Self.reach("a to-many relationship")),
        ("parts.@count > 3", Self.reach("a to-many relationship")),
        ("title BEGINSWITH 'x'", Self.reach("BEGINSWITH, ENDSWITH, CONTAINS, LIKE or MATCHES")),
        ("title =[c] 'x'", Self.reach("functions or calculations")),
        ("size + 1 > 3", Self.reach("functions or calculations")),
        ("entity IS Game", Self.reach("IS, the test of an object's entity")),
        ("cover != nil", Self.reach("“cover”, whose values may be stored outside the row")),
        ("TRUEPREDICATE", Self.reach("a condition that is always true or always false")),
    ])
    func `An index's predicate must be one that an index supports`(predicate: String, message: String) {
        #expect(
            problems(indexes: [IndexDescription(["title"], where: predicate)]) == ["Game.title: \(message)"])
    }

    private static func reach(_ obstacle: String) -> String {
        "The predicate of an index can't use \(obstacle). It can only compare columns of its entity with constants "
            + "or with each other."
    }

    @Test func `An index's predicate is checked despite other mistakes`() {
        let price = AttributeDescription("price", .decimal(precision: 99, scale: 1))
        let size = AttributeDescription("size", .int64)
        let problems = ModelCheckingTests.problems([
            EntityDescription(
                "Game", superentity: "Nothing", attributes: [price, price, size],
                relationships: [RelationshipDescription("club", to: "Nothing")],
                indexes: [
                    IndexDescription(["size"], where: "price > 3 AND club != nil"),
                    IndexDescription(["size"], where: "price > 'much'"),
                ])
        ])
        #expect(problems.count { $0.contains("predicate") } == 1)
        #expect(problems.count == 6)
    }
}
