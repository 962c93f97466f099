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
        ("tags", "stores keep JSON each in its own way, so it can't be compared. Name another."),
        ("address.map", "stores keep JSON each in its own way, so it can't be compared. Name another."),
        ("cover", "its values may be kept outside their rows. Name another, or remove that rule."),
        ("address", "a composite has a column for each part. Name one, as in “address.city”."),
        ("address.street", "the composite has no such part. Correct the name."),
        ("title.length", "“title” has no parts. Correct the name."),
    ])
    func `What has no comparable column can't be used`(name: String, reason: String) {
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

    @Test func `An index's predicate says something`() {
        #expect(
            problems(indexes: [IndexDescription([.init("title")], where: " ")])
                == ["Game: The predicate of an index can't be empty: write one, or leave it out."])
    }
}
