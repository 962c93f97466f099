import ContextCore
import Testing

/// Child contexts of an actor's context on other actors and on the main actor.
@Suite(.timeLimit(.minutes(20))) struct ActorChildTests {
    @Test(arguments: Subject.all)
    func `Saves pass changes level by level, over two actors, to the store`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            let top = store.makeBackgroundContext(name: "top")
            let middle = await top.makeChild(name: "middle")
            let bottom = await middle.makeChild(name: "bottom")
            #expect(bottom.parent === middle && middle.parent === top && top.parent == nil)
            try await top.perform { _ = SampleClub(in: $0, name: "Go") }
            let id = try await bottom.perform { context in
                let club = try #require(try context.fetch(SampleClub.self).first)
                _ = SampleMember(in: context, name: "Ann", club: club)
                try context.save()
                #expect(!context.hasChanges)
                return club.objectID
            }
            #expect(try await middle.perform { $0.insertedObjects.count } == 1)
            #expect(try await top.perform { $0.insertedObjects.count } == 1)
            try await middle.perform { try $0.save() }
            #expect(try await top.perform { $0.insertedObjects.count } == 2)
            #expect(try await store.read("look") { try $0.count(SampleMember.self) } == 0)
            try await top.perform { try $0.save() }
            #expect(try await store.read("look") { try $0.count(SampleMember.self) } == 1)
            // Save through all levels at once.
            try await bottom.perform { context in
                try context.object(with: id, as: SampleClub.self).name = "Baduk"
                try context.saveToStore()
            }
            for editor in [top, middle, bottom] {
                #expect(try await editor.perform { $0.hasChanges } == false)
            }
            #expect(
                try await store.read("look") { try $0.object(with: id, as: SampleClub.self).name } == "Baduk")
        }
    }

    @MainActor @Test(arguments: Subject.all)
    func `A form on the main actor edits a child of an actor's context, and its lists follow`(
        _ subject: Subject
    ) async throws {
        try await subject.withStore { store async throws in
            let editor = store.makeBackgroundContext(name: "editor")
            try await editor.perform { context in
                context.author = "Ann"
                _ = SampleClub(in: context, name: "Go")
            }
            let form = await editor.makeViewChild(name: "form")
            #expect(form.author == "Ann" && form.parent == nil && form.isObserved)
            let club = try #require(try form.fetch(SampleClub.self).first)
            let list = try FetchedResultsController(SampleMember.self, order: .ascending(\.name), in: form)
            var changes = list.changes.makeAsyncIterator()
            #expect(await changes.next()?.snapshot.count == 0)
            _ = SampleMember(in: form, name: "Bea", club: club)
            #expect(await changes.next()?.snapshot.count == 1)
            #expect(try await editor.perform { try $0.count(SampleMember.self) } == 0)
            try form.save()
            #expect(try await editor.perform { try $0.count(SampleMember.self) } == 1)
            #expect(try await store.read("look") { try $0.count(SampleMember.self) } == 0)
            club.name = "Baduk"
            try form.saveToStore()
            #expect(
                try await store.read("look") { try $0.fetch(SampleClub.self).map(\.name) } == ["Baduk"])
            #expect(try await store.history().map(\.author) == ["Ann"])
        }
    }

    @Test(arguments: Subject.all)
    func `A save that fails changes no context`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            let id = try await store.write("make") { context in
                let club = SampleClub(in: context, name: "Go")
                _ = SampleClub(in: context, name: "Chess")
                try context.save()
                return club.objectID
            }
            let editor = store.makeBackgroundContext(name: "editor")
            let child = await editor.makeChild()
            // The value is invalid.
            try await child.perform { context in
                try context.object(with: id, as: SampleClub.self).name = "\u{0}"
                let error = #expect(throws: StoreError.self) { try context.save() }
                #expect(error?.code == .validation && context.updatedObjects.count == 1)
                try context.object(with: id, as: SampleClub.self).name = "Baduk"
            }
            // The parent has changed the object since.
            try await editor.perform { try $0.object(with: id, as: SampleClub.self).name = "Weiqi" }
            try await child.perform { context in
                let error = #expect(throws: StoreError.self) { try context.save() }
                #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [id])
                #expect(context.updatedObjects.count == 1)
            }
            #expect(
                try await editor.perform { try $0.object(with: id, as: SampleClub.self).name } == "Weiqi")
            // The store rejects the value, two levels up.
            try await child.perform { context in
                context.mergePolicy = .objectWins
                let club = try context.object(with: id, as: SampleClub.self)
                club.name = "Chess"
                let error = #expect(throws: StoreError.self) { try context.saveToStore() }
                #expect(error?.code == .duplicate)
                #expect(club.name == "Chess" && context.updatedObjects == [club])
            }
            #expect(
                try await editor.perform { try $0.object(with: id, as: SampleClub.self).name } == "Weiqi")
            try await child.perform { context in
                try context.object(with: id, as: SampleClub.self).name = "Baduk"
                try context.saveToStore()
            }
            #expect(
                try await store.read("look") { try $0.object(with: id, as: SampleClub.self).name } == "Baduk")
        }
    }

    @Test(arguments: Subject.all)
    func `Children that save at the same time lose no changes of each other`(_ subject: Subject) async throws
    {
        try await subject.withStore { store async throws in
            let editor = store.makeBackgroundContext(name: "editor")
            let (children, saves) = (4, 10)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<children {
                    let child = await editor.makeChild(name: "child \(number)")
                    let grandchild = await child.makeChild(name: "grandchild \(number)")
                    for (context, name) in [(child, "c"), (grandchild, "g")] {
                        group.addTask {
                            for save in 0..<saves {
                                try await context.perform { context in
                                    _ = SampleMember(in: context, name: "\(name) \(number) \(save)")
                                    if save.isMultiple(of: 3) {
                                        try context.saveToStore()
                                    } else {
                                        try context.save()
                                    }
                                    _ = try context.count(SampleMember.self)
                                }
                            }
                            try await context.perform { try $0.saveToStore() }
                        }
                    }
                }
                group.addTask { for _ in 0..<saves { try await editor.perform { try $0.save() } } }
                try await group.waitForAll()
            }
            try await editor.perform { try $0.save() }
            let names = try await store.read("look") { try $0.fetch(SampleMember.self).map(\.name) }
            #expect(Set(names).count == names.count)
            #expect(names.count == 2 * children * saves)
        }
    }

    @Test(arguments: Subject.all)
    func `A child has the snapshot of its actor's context, and rolls back to it`(
        _ subject: Subject
    ) async throws {
        try await subject.withStore { store async throws in
            try await store.write("first") { _ = SampleClub(in: $0, name: "Go") }
            let editor = store.makeBackgroundContext(name: "editor")
            let child = await editor.makeChild()
            try await child.perform { context in
                #expect(!context.isPinned)
                try context.pin()
                #expect(context.isPinned)
            }
            #expect(try await editor.perform { $0.isPinned } == true)
            try await store.write("second") { _ = SampleClub(in: $0, name: "Chess") }
            #expect(try await child.perform { try $0.count(SampleClub.self) } == 1)
            try await child.perform { try $0.unpin() }
            #expect(try await child.perform { try $0.count(SampleClub.self) } == 2)
            try await editor.perform { _ = SampleClub(in: $0, name: "Shogi") }
            let left = try await child.perform { context in
                _ = SampleClub(in: context, name: "Bridge")
                context.rollbackToStore()
                return try context.count(SampleClub.self)
            }
            #expect(left == 2)
            #expect(try await editor.perform { $0.hasChanges } == false)
        }
    }

    @MainActor @Test func `A child of a read-only context saves nothing`() async throws {
        try await Subject.memory.withStore { store async throws in
            let viewer = store.makeBackgroundContext(name: "viewer", isReadOnly: true)
            let child = await viewer.makeChild()
            try await child.perform { context in
                _ = SampleClub(in: context, name: "Go")
                for save in [context.save, context.saveToStore] {
                    let error = #expect(throws: StoreError.self) { try save() }
                    #expect(error?.code == .readOnly)
                }
            }
            let form = await viewer.makeViewChild()
            #expect(form.isReadOnly)
        }
    }

    @Test func `A parent that waits for its child serves it meanwhile`() async throws {
        try await Subject.memory.withStore { store async throws in
            let editor = store.makeBackgroundContext(name: "editor")
            let child = await editor.makeChild()
            let count = try await editor.perform { context in
                _ = SampleClub(in: context, name: "Go")
                return try waitFor(child) { try $0.count(SampleClub.self) }
            }
            #expect(count == 1)
        }
    }
}

/// Blocks until an operation has ended, as synchronous code in a block does.
private func waitFor<Value: Sendable>(
    _ actor: ContextActor, _ body: @Sendable (ObjectContext) throws -> Value
) throws -> Value {
    try actor.performAndWait(body)
}
