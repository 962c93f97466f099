import Foundation
import RandomSeeds
import Testing

@testable import ContextCore

/// Batches with more text and data than their limit, which is an error at any size, and with rows in any order.
struct RowBatchBuilderTests {
    private let library: Library

    init() throws { library = try Library() }

    private func batch(_ titles: [String]) throws -> RowBatch { try builder(titles).finish() }

    private func builder(_ titles: [String]) throws -> RowBatchBuilder {
        let model = library.coordinator.model
        let book = try #require(model.layout(named: "Book"))
        let title = try #require(book.property(named: "title")?.columns.first)
        var builder = RowBatchBuilder(model: model)
        for (key, text) in titles.enumerated() {
            builder.beginRow(key: Int64(key), version: 1, entityIndex: book.index)
            builder.set(title, to: .string(text))
        }
        return builder
    }

    @Test func `Values at the limit fit into a batch, and a byte more is an error with a remedy`() throws {
        try RowBatchBuilder.$heapLimit.withValue(100) {
            let whole = try batch(Array(repeating: "0123456789", count: 10))
            #expect(whole.count == 10)
            for titles in [
                Array(repeating: "0123456789", count: 10) + ["x"], [String(repeating: "x", count: 101)],
            ] {
                let error = #expect(throws: StoreError.self) { try batch(titles) }
                #expect(error?.code == .unsupportedRequest)
                #expect(error?.remedy?.contains("fewer") == true)
                let author = try #require(
                    library.coordinator.model.layout(named: "Book")?.property(named: "author"))
                let linked = #expect(throws: StoreError.self) {
                    _ = try builder(titles).finish(linkedThrough: author.slot, positions: nil) {
                        Array($0.indices)
                    }
                }
                #expect(linked?.code == .unsupportedRequest)
            }
            // The batch stays over the limit, even if small values follow.
            #expect(throws: StoreError.self) { try batch([String(repeating: "x", count: 101), "x"]) }
        }
    }

    @Test func `A save that exceeds a batch fails, and its changes stay pending`() throws {
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

    /// Entities of one tree whose rows have one size, and two sizes.
    @Test(arguments: [0, 1]) func `Rows are sorted by key, whatever their sizes`(_ more: Int) throws {
        let model = try ObjectModel(entities: [
            EntityDescription("Thing", attributes: [AttributeDescription("size", .int64)]),
            EntityDescription(
                "Tool", superentity: "Thing",
                attributes: (0..<more).map { AttributeDescription("more\($0)", .uuid, isOptional: true) }),
        ])
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SeededRandom(seed: seed)
        let layouts = try ["Thing", "Tool"].map { try #require(model.layout(named: $0)) }
        for count in [0, 1, 2, 3, 50] {
            let keys = (0..<Int64(count)).shuffled(using: &random)
            var builder = RowBatchBuilder(model: model)
            for key in keys {
                let layout = layouts[Int(key % 3) / 2]
                let size = try #require(layout.property(named: "size")?.columns.first)
                builder.beginRow(key: key, version: key + 7, entityIndex: layout.index)
                builder.set(size, to: .int(key * 11))
            }
            builder.sortByKey()
            // Rows that are appended later come last.
            builder.beginRow(key: -1, version: 1, entityIndex: layouts[1].index)
            let rows = try builder.finish()
            #expect(
                (0..<rows.count).map { rows.key(at: $0) } == Array(0..<Int64(count)) + [-1], "seed \(seed)")
            for row in 0..<count {
                let layout = layouts[row % 3 / 2]
                #expect(rows.entityIndex(at: row) == layout.index, "seed \(seed)")
                #expect(rows.version(at: row) == Int64(row + 7), "seed \(seed)")
                let size = try #require(layout.property(named: "size")?.columns.first)
                #expect(rows.value(size, at: row) == .int(Int64(row * 11)), "seed \(seed)")
            }
        }
    }
}
