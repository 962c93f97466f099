import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend
@testable import StoreAdmin

/// Files with unreadable pages.
struct DamageTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Creates a store with many samples, and returns its path.
    private func makeSamples() throws -> String {
        let header = ShopExport.text.split(separator: "\n")[0]
        let objects = (1...3000).map {
            #"{"entity":"Sample","id":\#($0),"values":{"label":"sample number \#($0) of many"}}"#
        }
        try bench.write(([String(header)] + objects).joined(separator: "\n"), to: "many.jsonl")
        bench.variables["STORECTL_URL"] = "sqlite:many.sqlite?journal=delete"
        let made = bench.run("data", "import", "many.jsonl")
        try #require(made.exit == .success, "\(made.problems)")
        return bench.folder + "/many.sqlite"
    }

    /// Creates a store with many samples, and overwrites one page of a table or index.
    ///
    /// - Returns: The path, and the bytes after the damage.
    private func damage(_ name: String, leaf: Bool = true) throws -> (path: String, bytes: Data) {
        let path = try makeSamples()
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .zero)
        let root = try #require(
            try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"))
        let size = try #require(try connection.integer("PRAGMA page_size"))
        connection.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let page = leaf ? child(of: Int(root), bytes, Int(size)) : Int(root)
        bytes.replaceSubrange(
            ((page - 1) * Int(size))..<(page * Int(size)), with: Data(repeating: 0xFF, count: Int(size)))
        try bytes.write(to: URL(fileURLWithPath: path))
        return (path, bytes)
    }

    /// Returns the page of the fourth child of an interior page: a big-endian number in the cell to which the pointer array points.
    private func child(of root: Int, _ bytes: Data, _ size: Int) -> Int {
        let start = (root - 1) * size
        func number(_ place: Int, _ count: Int) -> Int {
            bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
        }
        return number(start + number(start + 12 + 2 * 3, 2), 4)
    }

    @Test func `Integrity and check name the damaged table, and exit with 2`() throws {
        _ = try damage("sample")
        let integrity = bench.run("maintain", "integrity")
        #expect(integrity.exit == .differences, "\(integrity.problems)")
        #expect(
            integrity.output.contains("The table sample or one of its indexes is damaged"),
            "\(integrity.output)")
        let check = bench.run("check")
        #expect(check.exit == .differences, "\(check.problems)")
        #expect(check.output.contains("Objects of Sample"), "\(check.output)")
    }

    @Test func `Recovery saves all but the rows of the damaged page, and doesn't change the file`() throws {
        let (path, bytes) = try damage("sample")
        let outcome = bench.run("maintain", "recover", "saved.sqlite")
        #expect(outcome.exit == .differences, "\(outcome.problems)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        let saved = try #require(
            Int(bench.run("count", "Sample", "-s", "sqlite:saved.sqlite").output.filter(\.isNumber)))
        #expect(saved < 3000)
        #expect(saved > 2800)
        #expect(outcome.output.contains("sample"))
        let integrity = bench.run("maintain", "integrity", "-s", "sqlite:saved.sqlite")
        #expect(integrity.exit == .success, "\(integrity.output)")
        let last = bench.run("get", "Sample:3000", "-s", "sqlite:saved.sqlite")
        #expect(last.output.contains("sample number 3000 of many"), "\(last.problems)")
        #expect(bench.run("maintain", "recover", "saved.sqlite").exit == .cannotCreate)
    }

    @Test func `Recovery continues after a row with a damaged cell, and reports it`() throws {
        let path = try makeSamples()
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .zero)
        try connection.execute("CREATE VIRTUAL TABLE words USING fts5(word)")
        connection.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // Changes the type of the version from an integer of one byte to a text or data of one byte.
        for (key, type) in [(7, 15), (8, 14)] as [(Int, UInt8)] {
            let label = try #require(bytes.range(of: Data("sample number \(key) of many".utf8)))
            let types = try #require(
                bytes.range(
                    of: Data([0, 1]), options: .backwards, in: label.lowerBound - 24..<label.lowerBound),
                "\(Array(bytes[label.lowerBound - 24..<label.lowerBound]))")
            bytes[types.lowerBound + 1] = type
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let outcome = bench.run("maintain", "recover", "saved.sqlite")
        #expect(outcome.exit == .differences, "\(outcome.problems)")
        #expect(outcome.output.contains("2 rows are damaged and lost"), "\(outcome.output)")
        #expect(outcome.output.contains(": 7, 8."), "\(outcome.output)")
        #expect(outcome.output.contains("Virtual tables are not recovered"), "\(outcome.output)")
        #expect(bench.run("count", "Sample", "-s", "sqlite:saved.sqlite").output == "2998\n")
    }

    @Test func `Recovery of an undamaged store saves everything`() throws {
        _ = try bench.makeShop()
        let outcome = bench.run("maintain", "recover", "saved.sqlite")
        #expect(outcome.exit == .success, "\(outcome.output)\(outcome.problems)")
        let digest = bench.run("data", "checksum", "--json").output
        #expect(bench.run("data", "checksum", "--json", "-s", "sqlite:saved.sqlite").output == digest)
    }
}
