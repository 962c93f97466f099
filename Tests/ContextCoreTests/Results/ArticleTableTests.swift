import Foundation
import Testing

@testable import ContextCore

/// The table of the article on results, which is copied below as printed there.
struct ArticleTableTests {
    @Test func `The table below equals the one in the article`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
            .standardized
        let article = try String(
            contentsOf: root.appending(path: "Sources/ContextCore/ContextCore.docc/following-results.md"),
            encoding: .utf8)
        let copy = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let start = try #require(article.range(of: "final class Table {"))
        let end = try #require(article[start.lowerBound...].range(of: "\n}\n"))
        let printed = article[start.lowerBound..<end.upperBound].filter { !$0.isWhitespace }
        #expect(copy.filter { !$0.isWhitespace }.contains(printed))
    }

    @Test(arguments: [nil, PropertyPath(["born"])])
    func `A table that starts empty applies every step, with sections and without`(
        _ sections: PropertyPath?
    ) async throws {
        let store = try Store.inMemory([
            Author.self, Rack.self, Book.self, Topic.self, Loan.self, Reader.self,
        ])
        try await store.write("add") { context in
            for name in ["Bob", "Ann"] { _ = Author(in: context, name: name) }
        }
        let editor = store.makeBackgroundContext()
        let changes = try await editor.perform { context in
            context.automaticallyMergesChanges = true
            let request = try FetchRequest<Author>(order: [SortKey("name")])
            return try FetchedResultsController(request, sections: sections, in: context).changes
        }
        var iterator = changes.makeAsyncIterator()
        let table = Article.Table()
        let first = try #require(await iterator.next())
        #expect(first.snapshot.isSectioned == (sections != nil))
        table.apply(first)
        #expect(table.sections.map(\.rows) == [first.snapshot.objectIDs])
        try await store.write("change") { context in
            for author in try context.fetch(Author.self) where author.name == "Bob" { author.born = 1900 }
            _ = Author(in: context, name: "Abe")
        }
        let second = try #require(await iterator.next())
        table.apply(second)
        let indices = second.snapshot.sections.indices
        #expect(table.sections.map(\.rows) == indices.map { second.snapshot.objectIDs(inSection: $0) })
        #expect(table.sections.count == (sections == nil ? 1 : 2))
        try await store.write("remove") { context in
            for author in try context.fetch(Author.self) { context.delete(author) }
        }
        table.apply(try #require(await iterator.next()))
        #expect(table.sections.flatMap(\.rows).isEmpty)
    }
}

private enum Article {
    final class Table {
        var sections: [(title: String, rows: [ObjectID])] = []
        var outdated: [ResultsPosition] = []

        func apply(_ difference: ResultsDifference) {
            // A list without sections has exactly one section, which no step inserts.
            if sections.isEmpty, !difference.snapshot.isSectioned { sections = [("", [])] }
            for step in difference.steps {
                switch step {
                case .delete(_, let position): sections[position.section].rows.remove(at: position.row)
                case .insertSection(let section, let index): sections.insert((section.name, []), at: index)
                case .move(let player, let from, let to):
                    sections[from.section].rows.remove(at: from.row)
                    sections[to.section].rows.insert(player, at: to.row)
                case .insert(let player, let position):
                    sections[position.section].rows.insert(player, at: position.row)
                case .deleteSection(_, let index): sections.remove(at: index)
                case .update(_, let position): outdated.append(position)  // draw this row again
                }
            }
        }
    }
}
