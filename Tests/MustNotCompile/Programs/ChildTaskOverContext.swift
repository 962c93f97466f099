// expected: passing closure as a 'sending' parameter risks causing data races between main actor
import ContextCore

@MainActor func leak(_ store: Store) async {
    let context = store.viewContext
    await withTaskGroup { group in
        group.addTask { _ = context.hasChanges }
        await group.waitForAll()
    }
}
