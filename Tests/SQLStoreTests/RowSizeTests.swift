import ContextCore
import Foundation
import SQLStore
import Testing

struct RowSizeTests {
    private let model: ObjectModel

    init() throws {
        model = try ObjectModel {
            Entity("File") {
                Attribute("bytes", .data).optional()
                Attribute("name", .string)
            }
        }
    }

    private func rows(_ sizes: [Int]) throws -> RowBatch {
        let layout = model.layouts[0]
        let bytes = try #require(layout.columns.firstIndex { $0.name == "bytes" })
        let name = try #require(layout.columns.firstIndex { $0.name == "name" })
        var builder = RowBatchBuilder(model: model)
        for (row, size) in sizes.enumerated() {
            builder.beginRow(key: Int64(row + 1), version: 2, entityIndex: 0)
            if size > 0 { builder.set(bytes, to: .data(Data(count: size))) }
            builder.set(name, to: .string("12345"))
        }
        return try builder.finish()
    }

    @Test func `A row over the limit is rejected with the object and its largest property`() throws {
        let sizes = RowSizeCheck(limit: 100)
        try sizes.check(rows([95, 0, 95, 95]), model)
        let batch = try rows([95, 0, 96])
        let error = #expect(throws: StoreError.self) { try sizes.check(batch, model) }
        #expect(error?.code == .unsupportedRequest)
        #expect(error?.message.hasPrefix("File 3 has 101 bytes") == true)
        #expect(error?.remedy?.contains("File.bytes has 96 bytes") == true)
    }

    @Test func `No limit exceeds those of the databases`() {
        // SQLite's limit, and PostgreSQL's gigabyte less the overhead of a message.
        #expect(RowSizeCheck.limit <= 1_000_000_000)
    }
}
