import ContextCore
import Foundation

extension Topic {
    /// Externally stored values, which a store may load on first access instead of with their row.
    static let deferredValues: Topic = Topic("deferred values") {
        Requirement("Every kind of context loads values that were not fetched with their row") { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                try context.only(Clip.self).expectFilled(5_000)
                let scratch = context.makeChild()
                try scratch.only(Clip.self).expectFilled(5_000)
                try scratch.only(Clip.self).rating = 3
                try scratch.save()
                let grandchild = context.makeChild().makeChild()
                let clip = try grandchild.only(Clip.self)
                try expectEqual(clip.rating, 3, "The pending rating")
                try clip.expectFilled(5_000)
                try context.only(Clip.self).expectFilled(5_000)
            }
            try await store.performWithSharedContext { context in
                try context.only(Clip.self).rating = 4
                try context.only(Clip.self).expectFilled(5_000)
            }
            let proxy = store.makeProxy()
            let clip = try proxy.context.only(Clip.self)
            try expectEqual(clip.rating, 4, "The shared rating")
            try clip.expectFilled(5_000)
            let request = FetchRequest<Clip>(where: \.rating > 0, prefetching: [\.image])
            try await proxy.fetch(request).first?.expectFilled(5_000)
            try await store.write("write") { context in
                let clip = try context.only(Clip.self)
                clip.rating = 6
                try context.save()
                try clip.expectFilled(5_000)
                clip.fill(6_000)
                try context.save()
                try clip.expectFilled(6_000)
            }
        }
        Requirement("A value can be loaded after another context has saved other properties of the object") {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let clip = try context.only(Clip.self)
                try store.writeAndWait("rate") { try $0.only(Clip.self).rating = 9 }
                try clip.expectFilled(5_000)
                try expectEqual(clip.rating, 0, "The rating that was fetched")
            }
        }
        Requirement(
            "Loading a value that another context has replaced is an error, and never returns the new value"
        ) { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let clip = try context.only(Clip.self)
                try store.writeAndWait("replace") { try $0.only(Clip.self).fill(7_000) }
                // The store may have fetched the value with its row.
                if clip.image != nil { return try clip.expectFilled(5_000) }
                try expectError(.conflict, "The next fetch") { try context.only(Clip.self) }
                try context.refresh(clip)
                try clip.expectFilled(7_000)
            }
        }
        Requirement(
            "Assigning a value that another context has replaced is a conflict, which a merge policy resolves"
        ) {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let clip = try context.only(Clip.self)
                try store.writeAndWait("replace") { try $0.only(Clip.self).fill(7_000) }
                clip.image = nil
                let error = try expectError(.conflict) { try context.save() }
                try expectEqual(
                    error.conflicts.first?.properties.first { $0.name == "image" }?.theirs,
                    .data(Clip.bytes(7_000)), "Their image")
                context.mergePolicy = .objectWins
                try context.save()
                try expect(clip.image == nil, "The image is nil")
                try expect(clip.text == Clip.text(7_000), "The text is the other context's")
            }
            try await store.read("look") { context in
                try expect(try context.only(Clip.self).image == nil, "The image is nil in the store")
            }
        }
        Requirement(
            "The overwrite policy keeps values that another context has replaced and this one never loaded"
        ) {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                context.mergePolicy = .overwrite
                let clip = try context.only(Clip.self)
                clip.rating = 8
                try store.writeAndWait("replace") { try $0.only(Clip.self).fill(7_000) }
                try context.save()
                // A store that fetched the old values with their row overwrites the new ones.
                try clip.expectFilled(clip.image?.count ?? 0)
                try expect(
                    [5_000, 7_000].contains(clip.image?.count),
                    "The image is the other context's or this one's")
            }
        }
        Requirement("Undoing an assignment restores a value that was never loaded") { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                context.isUndoEnabled = true
                context.faulting = .forbid
                let clip = try context.only(Clip.self)
                clip.fill(6_000)
                try context.save()
                context.undo()
                try context.save()
            }
            try await store.read("look") { try $0.only(Clip.self).expectFilled(5_000) }
        }
        Requirement("A proxy shows pending values of the shared context, until that rolls back") {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let proxy = store.makeProxy()
            let request = FetchRequest<Clip>(where: \.name == "a")
            let clip = try require(try await proxy.fetch(request).first, "A clip")
            try await store.performWithSharedContext { try $0.only(Clip.self).fill(6_000) }
            _ = try await proxy.fetch(request)
            try clip.expectFilled(6_000)
            try await store.performWithSharedContext { $0.rollback() }
            _ = try await proxy.fetch(request)
            try clip.expectFilled(5_000)
        }
        Requirement("A child can't overwrite a value that its parent has restored") { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                try context.only(Clip.self).fill(6_000)
                let child = context.makeChild()
                let clip = try child.only(Clip.self)
                context.rollback()
                clip.fill(7_000)
                try expectError(.conflict) { try child.save() }
            }
        }
        Requirement("Undoing a saved deletion restores values that were never loaded") { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                context.isUndoEnabled = true
                context.delete(try context.only(Clip.self))
                try context.save()
                try expectEqual(try context.fetch(Clip.self).count, 0, "Clips after the deletion")
                context.undo()
                try context.save()
            }
            try await store.read("look") { try $0.only(Clip.self).expectFilled(5_000) }
        }
        Requirement("Saving an object whose row is deleted is a conflict after undo has restored the object")
        {
            run in
            let store = try await run.open(ClipModel.classes)
            for isInChild in [false, true] {
                try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
                let (editor, other) = (store.makeBackgroundContext(), store.makeBackgroundContext())
                try await other.perform { context in
                    let clip = try context.only(Clip.self)
                    try editor.performAndWait { try Self.replaceClip(in: $0, isInChild) }
                    clip.rating = 3
                    try expectError(.conflict, "A save over the row of before") { try context.save() }
                    context.rollback()
                    // The store may have fetched the value with its row.
                    if clip.image != nil { return try clip.expectFilled(5_000) }
                    try expectError(.conflict, "The next fetch") { try context.only(Clip.self) }
                }
                try await store.write("look") { context in
                    try context.only(Clip.self).expectFilled(7_000)
                    context.delete(try context.only(Clip.self))
                }
            }
        }
        Requirement(
            "Saving an object whose row is deleted is a conflict after a merge policy has restored the object"
        ) {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5) }
            let (keeper, other) = (store.makeBackgroundContext(), store.makeBackgroundContext())
            try await other.perform { context in
                try keeper.performAndWait { context in
                    context.mergePolicy = .objectWins
                    context.isUndoEnabled = true
                    try context.only(Clip.self).rating = 2
                }
                try store.writeAndWait("rate") { try $0.only(Clip.self).rating = 1 }
                let seen = try context.only(Clip.self)
                try store.writeAndWait("delete") { $0.delete(try $0.only(Clip.self)) }
                try keeper.performAndWait { try $0.save() }
                seen.rating = 3
                try expectError(.conflict, "A save over the row of before") { try context.save() }
            }
            try await store.read("look") { try expectEqual(try $0.only(Clip.self).rating, 2, "The rating") }
        }
        Requirement("Assigning the current value is not a change") { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                let clip = try context.only(Clip.self)
                clip.fill(5_000)
                try expect(!clip.hasChanges, "The clip has no changes")
                clip.fill(5_001)
                try expectEqual(clip.changedPropertyNames, ["image", "text", "tags"], "What has changed")
                try expectEqual(
                    clip.committedValues(["text"]), ["text": .string(Clip.text(5_000))], "What was saved")
                clip.fill(5_000)
                try expect(!clip.hasChanges, "The clip has no changes again")
            }
        }
        Requirement("Snapshots and prefetches include externally stored values") { run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { context in
                for size in [5, 5_000, 12] { Clip(in: context, name: "\(size)").fill(size) }
                _ = Clip(in: context, name: "none")
            }
            try await store.read("look") { context in
                let clips = try context.fetch(
                    Clip.self, order: .ascending(\.rating), .ascending(\.name),
                    prefetching: [\.image, \.text, \.tags])
                for clip in clips where clip.name != "none" {
                    try clip.expectFilled(try require(Int(clip.name), "A size"))
                    let snapshot: ObjectSnapshot = clip.snapshot()
                    try expectEqual(
                        snapshot.value("image"), Clip.bytes(Int(clip.name) ?? 0), "The snapshot's image")
                }
            }
        }
        Requirement("An object that another context has deleted is not inserted again without its values") {
            run in
            let store = try await run.open(ClipModel.classes)
            try await store.write("make") { Clip(in: $0, name: "a").fill(5_000) }
            let editor = store.makeBackgroundContext()
            try await editor.perform { context in
                context.mergePolicy = .objectWins
                let clip = try context.only(Clip.self)
                clip.rating = 1
                try store.writeAndWait("delete") { context in
                    context.delete(try context.only(Clip.self))
                }
                do {
                    try context.save()
                } catch StoreError.Code.conflict {
                    return
                }
                try context.only(Clip.self).expectFilled(5_000)
            }
        }
    }
}

extension Topic {
    /// Deletes the only clip and saves, undoes the deletion, and saves the clip with other values.
    private static func replaceClip(in context: ObjectContext, _ isInChild: Bool) throws {
        let scratch = isInChild ? context.makeChild() : context
        func save() throws {
            try scratch.save()
            if isInChild { try context.save() }
        }
        scratch.isUndoEnabled = true
        try scratch.only(Clip.self).rating = 1
        try save()
        scratch.delete(try scratch.only(Clip.self))
        try save()
        scratch.undo()
        try scratch.only(Clip.self).fill(7_000)
        try save()
    }
}
