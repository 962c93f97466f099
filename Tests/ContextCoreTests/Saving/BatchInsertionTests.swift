import Testing

@testable import ContextCore

struct BatchInsertionTests {
    private let library: Library
    private let parent: CountingParent

    init() throws {
        library = try Library()
        parent = try CountingParent(library.coordinator)
    }

    private func insert(_ titles: [String], pages: Int64) throws {
        let model = library.coordinator.model
        let book = try #require(model.layout(named: "Book"))
        let keys = try parent.reserveKeys(titles.count, rootIndex: book.rootIndex)
        var builder = RowBatchBuilder(model: model)
        for (key, title) in zip(keys, titles) {
            builder.beginRow(key: key, version: 1, entityIndex: book.index)
            for (name, value) in [("title", StoredValue.string(title)), ("pages", .int(pages))] {
                let column = try #require(book.property(named: name)?.columns.first)
                builder.set(column, to: value)
            }
        }
        let plan = BatchPlan(entityIndex: book.index, operation: .insert(try builder.finish()))
        _ = try parent.perform(plan)
    }

    @Test func `Invalid rows are not inserted, and every violation is reported`() throws {
        let error = #expect(throws: StoreError.self) { try insert(["fine", "", ""], pages: 9000) }
        #expect(error?.code == .validation)
        #expect(
            error?.failures.compactMap(\.property).sorted() == ["pages", "pages", "pages", "title", "title"])
        #expect(try library.context().context.count(FetchRequest<Book>()) == 0)
        try insert(["fine", "too"], pages: 9)
        #expect(try library.context().context.count(FetchRequest<Book>()) == 2)
    }
}
