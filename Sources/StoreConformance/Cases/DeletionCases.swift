import ContextCore

extension Topic {
    /// The delete rules.
    static let deletion: Topic = Topic("deletion") {
        Requirement("Cascade deletes related objects, level by level") { run in
            let rules = try await run.boxes()
            try await rules.write("delete") { context in
                context.delete(try context.only(Box.self, "name = 'outer'"))
                try expectEqual(context.deletedObjects.count, 5, "The deleted objects")
            }
            try await rules.read("look") { context in
                try expectEqual(try context.count(Box.self), 2, "The boxes")
                try expectEqual(try context.count(Item.self), 0, "The items")
            }
        }
        Requirement("Nullify clears the references of related objects") { run in
            let rules = try await run.boxes()
            try await rules.write("delete") { context in
                let label = try context.only(Label.self)
                context.delete(try context.only(Box.self, "name = 'outer'"))
                try expect(
                    label.box == nil && label.isUpdated, "The label's reference is cleared immediately")
            }
            try await rules.read("look") { context in
                try expect(try context.only(Label.self).box == nil, "The label has no box in the store")
                try expectEqual(
                    try context.find(Label.self, "box = NIL").count, 1, "The labels without a box")
            }
        }
        Requirement("No action leaves a dangling reference") { run in
            let rules = try await run.boxes()
            try await rules.write("delete") { context in
                context.delete(try context.only(Box.self, "name = 'outer'"))
            }
            try await rules.read("look") { context in
                let note = try context.only(Note.self)
                try expectEqual(
                    try context.find(Note.self, "box.name = 'outer'").count, 0, "The notes of the box")
                try expectEqual(note.name, "note", "The note's name")
            }
        }
        Requirement("Deny prevents a deletion while the relationship isn't empty") { run in
            let rules = try await run.boxes()
            let error = try await expectError(.validation) {
                try await rules.write("delete") { context in
                    context.delete(try context.only(Box.self, "name = 'home'"))
                }
            }
            try expect(
                error.failures.contains { $0.property == "accounts" } || !error.conflicts.isEmpty,
                "The error names the relationship")
            try await rules.write("both") { context in
                context.delete(try context.only(Box.self, "name = 'home'"))
                context.delete(try context.only(Account.self))
            }
            let count = try await rules.read("look") { try $0.count(Account.self) }
            try expectEqual(count, 0, "The accounts")
        }
        Requirement("Delete rules apply immediately, and a rollback undoes them") { run in
            let rules = try await run.boxes()
            try await rules.write("delete") { context in
                let outer = try context.only(Box.self, "name = 'outer'")
                context.delete(outer)
                try expect(outer.isDeleted, "The box is deleted")
                context.rollback()
                try expect(!outer.isDeleted && !context.hasChanges, "Nothing is deleted after the rollback")
                try expectEqual(outer.items.count, 2, "The items")
                try expectEqual(outer.labels.count, 1, "The labels")
            }
            let counts = try await rules.read("look") { [try $0.count(Box.self), try $0.count(Item.self)] }
            try expectEqual(counts, [4, 3], "The boxes and items")
        }
        Requirement("Both objects of a link can be deleted, and so can a new object") { run in
            let games = try await run.games()
            try await games.write("delete") { context in
                for game in try context.fetch(Game.self) { context.delete(game) }
                for person in try context.fetch(Person.self) { context.delete(person) }
                let new = Player(in: context, name: "new")
                context.delete(new)
                try expect(new.isDeleted, "The new object is deleted")
            }
            try await games.read("look") { context in
                try expectEqual(try context.fetch(Player.self).map(\.name), ["Eve"], "The players")
                try expectEqual(try context.count(Person.self) + context.count(Game.self), 0, "The others")
            }
        }
        Requirement("A deleted object isn't fetched, and its identifier isn't found") { run in
            let games = try await run.games()
            let id = try await games.write("delete") { context in
                let ann = try context.only(Player.self, "name = 'Ann'")
                context.delete(ann)
                try expectEqual(
                    try context.find(Player.self, "name = 'Ann'").count, 0,
                    "The players found before the save")
                try expectEqual(try context.count(Player.self), 4, "The count before the save")
                return ann.objectID
            }
            try await games.read("look") { context in
                try expectError(.objectNotFound) { try context.existingObject(with: id) }
                try expectEqual(
                    try context.only(Game.self, "title = 'Go'").players.map(\.name), ["Bob"], "The players")
            }
        }
        Requirement("Objects whose common target is deleted don't match each other through it") { run in
            let rules = try await run.boxes()
            try await rules.write("delete") { context in
                let spare = try context.only(Box.self, "name = 'spare'")
                for name in ["a", "b"] { _ = Note(in: context, name: name, box: spare) }
                try context.save()
                context.delete(spare)
            }
            try await rules.read("look") { context in
                func names(_ predicate: String) throws -> [String] {
                    try context.find(Note.self, predicate).map(\.name).sorted()
                }
                try expectEqual(try names("ANY box.notes.name = 'a'"), [], "The notes beside a")
                try expectEqual(try names("NONE box.notes.name = 'a'"), ["a", "b", "note"], "The others")
                try expectEqual(try names("box.notes.@count = 0"), ["a", "b"], "The notes without a box")
            }
        }
    }
}

extension CaseRun {
    /// Opens a store with nested boxes, their items, labels and notes, and a box that is an account's home.
    func boxes() async throws -> Store {
        let rules = try await open(RuleModel.classes)
        try await rules.write("fill") { context in
            let outer = Box(in: context, name: "outer")
            let inner = Box(in: context, name: "inner", whole: outer)
            _ = Item(in: context, name: "one", box: outer)
            _ = Item(in: context, name: "two", box: outer)
            _ = Item(in: context, name: "three", box: inner)
            _ = Label(in: context, name: "label", box: outer)
            _ = Note(in: context, name: "note", box: outer)
            let home = Box(in: context, name: "home")
            _ = Account(in: context, login: "ann", age: 30, home: home)
            _ = Box(in: context, name: "spare")
        }
        return rules
    }
}
