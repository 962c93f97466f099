import ContextCore
import PostgresBackend
import SQLiteBackend
import Testing

@testable import SQLStore

/// The complete output of every compiler in the dialects of both databases and in a fictitious one, so that the code assumes no particular
/// dialect.
struct DialectTextTests {
    private func expect(_ texts: ExpectedTexts, _ text: (DialectTexts) throws -> String) throws {
        let dialects: [(SQLDialect, String?)] = [
            (.sqlite, texts.sqlite), (.postgres, texts.postgres), (.odd, texts.odd),
        ]
        for (dialect, expected) in dialects {
            let compilers = try DialectTexts(dialect)
            if let expected {
                #expect(try text(compilers) == expected)
            } else {
                let error = #expect(throws: StoreError.self) { try text(compilers) }
                #expect(error?.code == .unsupportedRequest)
            }
        }
    }

    @Test(arguments: ExpectedTexts.fetches) func `Fetches by predicate`(_ texts: ExpectedTexts) throws {
        try expect(texts) { try $0.fetch(texts.request) }
    }

    @Test(arguments: ExpectedTexts.requests) func `Pages, groups, distinct values, batches`(
        _ texts: ExpectedTexts
    ) throws {
        let request = try #require(DialectTexts.Request(rawValue: texts.request))
        try expect(texts) { try $0.text(request) }
    }

    @Test(arguments: ExpectedTexts.rows) func `Statements about a row or a link`(
        _ texts: ExpectedTexts
    ) throws {
        let row = try #require(DialectTexts.Row(rawValue: texts.request))
        try expect(texts) { try $0.text(row) }
    }

    @Test(arguments: ExpectedTexts.keys) func `Queries by key`(_ texts: ExpectedTexts) throws {
        let key = try #require(DialectTexts.Key(rawValue: texts.request))
        try expect(texts) { try $0.text(key) }
    }

    @Test func `Tables and indexes`() throws {
        let expected = ExpectedTexts.schema
        #expect(try DialectTexts(.sqlite).schema() == expected.map(\.sqlite))
        #expect(try DialectTexts(.postgres).schema() == expected.map(\.postgres))
        #expect(try DialectTexts(.odd).schema() == expected.map(\.odd))
    }

    @Test func `All kinds of requests are covered`() {
        #expect(ExpectedTexts.requests.map(\.request) == DialectTexts.Request.allCases.map(\.rawValue))
        #expect(ExpectedTexts.rows.map(\.request) == DialectTexts.Row.allCases.map(\.rawValue))
        #expect(ExpectedTexts.keys.map(\.request) == DialectTexts.Key.allCases.map(\.rawValue))
    }
}
