import Foundation
import Testing

@testable import ContextCore

/// What becomes of more text and data than a batch of rows can hold: an error, at whatever size that is.
struct RowBatchBuilderTests {
    private let library: Library

    init() throws { library = try Library() }

    private func batch(_ titles: [String]) throws -> RowBatch {
        let model = library.coordinator.model
        let book = try #require(model.layout(named: "Book"))
        let title = try #require(book.property(named: "title")?.columns.first)
        var builder = RowBatchBuilder(model: model)
        for (key, text) in titles.enumerated() {
            builder.beginRow(key: Int64(key), version: 1, entityIndex: book.index)
            builder.set(title, to: .string(text))
        }
        return try builder.finish()
    }

    @Test func `What just fits is a batch, and a byte more is an error with a remedy`() throws {
        try RowBatchBuilder.$heapLimit.withValue(100) {
            let whole = try batch(Array(repeating: "0123456789", count: 10))
            #expect(whole.count == 10)
            for titles in [
                Array(repeating: "0123456789", count: 10) + ["x"], [String(repeating: "x", count: 101)],
            ] {
                let error = #expect(throws: StoreError.self) { try batch(titles) }
                #expect(error?.code == .unsupportedRequest)
                #expect(error?.remedy?.contains("fewer") == true)
            }
            // What is too much stays too much, even if what follows is small.
            #expect(throws: StoreError.self) { try batch([String(repeating: "x", count: 101), "x"]) }
        }
    }

    @Test func `A save of more than a batch can hold fails, and its changes are still pending`() throws {
        let context = try library.context().context
        let book = Book(in: context, title: "too long by far")
        RowBatchBuilder.$heapLimit.withValue(10) {
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .unsupportedRequest)
        }
        #expect(book.isInserted)
        try context.save()
        #expect(try library.context().context.count(FetchRequest<Book>()) == 1)
    }
}
