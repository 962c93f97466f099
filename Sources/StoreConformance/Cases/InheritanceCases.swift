import ContextCore

extension Topic {
    /// Entity inheritance.
    static let inheritance: Topic = Topic("inheritance") {
        Requirement("A fetch of an entity includes subentities, and each object has its own class") { run in
            let games = try await run.games()
            try await games.read("look") { context in
                let people = try context.find(Person.self, order: "name")
                try expectEqual(
                    people.map { "\(type(of: $0))" }, ["Manager", "Employee", "Person"], "The classes")
                try expectEqual(
                    people.map(\.entityLayout.name), ["Manager", "Employee", "Person"], "The entities")
                try expectEqual(
                    try context.find(Employee.self, order: "name").map(\.name), ["Max", "Mia"],
                    "The employees")
                try expectEqual(try context.find(Manager.self).map(\.budget), [5], "The budgets")
            }
        }
        Requirement("A request can exclude subentities") { run in
            let games = try await run.games()
            try await games.read("look") { context in
                let people = FetchRequest<Person>(includesSubentities: false)
                try expectEqual(try context.fetch(people).map(\.name), ["Paul"], "The plain people")
                try expectEqual(try context.count(people), 1, "Their count")
                let employees = FetchRequest<Employee>(includesSubentities: false)
                try expectEqual(
                    try context.fetchIDs(employees).count, 1, "The identifiers of plain employees")
            }
        }
        Requirement(
            "The entities of a tree share their keys, and an identifier yields an object of its own class"
        ) { run in
            let games = try await run.games()
            let ids = try await games.read("ids") { try $0.find(Person.self).map(\.objectID) }
            try expectEqual(Set(ids.map(\.key)).count, 3, "The number of different keys")
            try await games.read("look") { context in
                let entities = try ids.map { try context.object(with: $0).entityLayout.name }
                try expectEqual(Set(entities), ["Person", "Employee", "Manager"], "The entities")
                let employees = try ids.filter { try context.object(with: $0) is Employee }
                try expectEqual(employees.count, 2, "How many of them are employees")
                try expectError(.objectNotFound) {
                    try context.object(
                        with: try require(ids.first { !employees.contains($0) }), as: Employee.self)
                }
            }
        }
        Requirement("Predicates that check the entity") { run in
            try await run.games().expectNames(
                [
                    ("SELF IS Employee", ["Max", "Mia"]), ("SELF IS Manager", ["Max"]),
                    ("NOT SELF IS Employee", ["Paul"]),
                    ("mentor IS Manager", ["Mia"]), ("NOT mentor IS Employee", ["Max"]),
                ], of: "Person")
        }
        Requirement("A to-one relationship to an entity can refer to an object of a subentity") { run in
            let games = try await run.games()
            try await games.read("look") { context in
                let chess = try context.only(Game.self, "title = 'Chess'")
                let owner = try require(chess.owner as? Employee, "The owner as an employee")
                try expectEqual(owner.role, "clerk", "The role")
                try expect(owner.mentor is Manager, "The mentor is a manager")
            }
        }
        Requirement("Properties of each level are saved and changed") { run in
            let games = try await run.games()
            try await games.write("raise") { context in
                let max = try context.only(Manager.self)
                (max.name, max.salary, max.budget) = ("Maximilian", 3000, 6)
            }
            try await games.read("look") { context in
                let max = try context.only(Manager.self)
                try expectEqual(max.name, "Maximilian", "The name")
                try expectEqual(max.salary, 3000, "The salary")
                try expectEqual(max.budget, 6, "The budget")
                try expectEqual(max.role, "head", "The role")
            }
            try await games.expectNames(
                [("salary > 1000", ["Maximilian"]), ("role = 'clerk'", ["Mia"])], of: "Employee")
        }
    }
}
