import ChildProcesses
import Foundation
import Testing

@testable import ContextCore

/// A class of the main actor without `isolated deinit`, which releases its object on any thread.
@MainActor private final class CarelessScreen {
    let author: Author?

    init(_ store: Store) throws { author = try store.viewContext.fetch(Author.self).first }
}

/// A class of the main actor with `isolated deinit`.
@MainActor private final class CarefulScreen {
    let author: Author?

    init(_ store: Store) throws { author = try store.viewContext.fetch(Author.self).first }

    isolated deinit {}
}

/// A class of the main actor with a results controller and no objects, which may be released on any thread too.
@MainActor private final class ListScreen {
    private let authors: FetchedResultsController<Author>
    private let count: LiveValue<Author, Int>
    private let child: FetchedResultsController<Author>
    private(set) var changeCount = 0
    static weak var lastChild: ObjectContext?

    init(_ store: Store) throws {
        authors = try FetchedResultsController(Author.self, order: .ascending(\.name), in: store.viewContext)
        count = try LiveValue(Author.self, .count(), in: store.viewContext)
        let childContext = store.viewContext.makeChild()
        Self.lastChild = childContext
        child = try FetchedResultsController(Author.self, order: .ascending(\.name), in: childContext)
        authors.onChange = { [weak self] _ in self?.changeCount += 1 }
        count.onChange = { [weak self] _ in self?.changeCount += 1 }
    }
}

/// Debug builds trap if an object is released outside of its context's isolation.
@Suite(.timeLimit(.minutes(20))) struct ReleaseThreadTests {
    #if DEBUG
    @Test func `Releasing an object of the main actor on another thread traps with a message`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let store = try await filledStore()
            await Task.detached {
                var screen = try? await CarelessScreen(store)
                precondition(screen != nil)
                screen = nil
            }.value
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("was released on another thread than its context's"), "\(errors)")
        #expect(errors.contains("isolated deinit"), "\(errors)")
    }
    #endif

    @Test func `Controllers and live values may be released on any thread during saves`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let store = try await filledStore()
            for number in 0..<200 {
                async let released: Void = Task.detached {
                    var screen = try? await ListScreen(store)
                    precondition(screen != nil)
                    screen = nil
                }.value
                try await store.write { _ = Author(in: $0, name: "\(number)") }
                await released
            }
            // The main actor has run the jobs that were enqueued.
            await MainActor.run { precondition(ListScreen.lastChild == nil) }
            let count = try await store.read { try $0.count(Author.self) }
            precondition(count == 201)
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `Releasing an object in its context's isolation is allowed`() async throws {
        let store = try await filledStore()
        await Task.detached {
            var screen = try? await CarefulScreen(store)
            #expect(screen != nil)
            screen = nil
        }.value
        let editor = store.makeBackgroundContext()
        let child = await editor.makeChild()
        for context in [editor, child] {
            let count = try await context.perform { try $0.fetch(Author.self).map(\.name).count }
            #expect(count == 1)
        }
        // The actor, its context and the changed objects are released on this thread.
        try await onThread {
            let other = store.makeBackgroundContext()
            try other.performAndWait { context in
                let author = try context.fetch(Author.self).first
                author?.name = "Bo"
                _ = Author(in: context, name: "Cid")
            }
        }
    }
}

private func filledStore() async throws -> Store {
    let store = try Store.inMemory([
        Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self,
    ])
    try await store.write("fill") { _ = Author(in: $0, name: "Ann") }
    return store
}
