import Testing

@testable import ContextCore

struct StoreHistoryTests {
    @Test func `The history has each save with its author and token, and ends where it was pruned`()
        async throws
    {
        let store = try Store.inMemory([
            Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self,
        ])
        let (author, book) = try await store.write("first") { context in
            context.author = "Ann"
            let author = Author(in: context, name: "A")
            let book = Book(in: context, title: "b", author: author)
            try context.save()
            return (author.objectID, book.objectID)
        }
        try await store.write("second") { try $0.object(with: author, as: Author.self).name = "B" }
        try await store.write("third") { $0.delete(try $0.object(with: book)) }
        let all = try await store.history()
        #expect(
            all.map(\.contextName) == ["first", "second", "third"] && all.map(\.author) == ["Ann", nil, nil])
        #expect(Set(all[0].changes.map(\.objectID)) == [author, book])
        #expect(all[1].changes.map(\.changedProperties) == [["name"]])
        #expect(all[2].changes.map(\.kind) == [.delete])
        #expect(try await store.history(after: all[0].token) == Array(all[1...]))
        #expect(try await store.history(of: "Book").flatMap(\.changes).map(\.entityName) == ["Book", "Book"])
        #expect(try await store.history(by: "Ann", limit: 1).count == 1)
        let error = await #expect(throws: StoreError.self) { try await store.history(of: "Nobody") }
        #expect(error?.code == .unknownProperty)
        try await store.pruneHistory(through: all[1].token)
        #expect(try await store.history() == [all[2]])
        let expired = await #expect(throws: StoreError.self) { try await store.history(after: all[0].token) }
        #expect(expired?.code == .historyExpired)
        await store.close()
    }
}
