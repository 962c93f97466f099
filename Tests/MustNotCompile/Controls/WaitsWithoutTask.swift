// The synchronous variants of functions, and nested blocks.
import ContextCore

func work(_ store: Store, _ editor: ContextActor) throws -> Int {
    try store.writeAndWait("new game") { context in
        let scratch = context.makeChild()
        _ = Game(insertingInto: scratch)
        try scratch.save()
        let pending = try store.readAndWait("inside") { $0.hasChanges }
        Task { try await store.write("later") { _ in } }
        return pending ? 1 : 0
    }
        + editor.performAndWait { context in
            try editor.performAndWait { inner in inner.registeredObjects.count }
                + context.insertedObjects.count
        }
}
