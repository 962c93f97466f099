import Testing

@testable import ContextCore

struct ValueRequestTests {
    /// Creates three authors, Ann with books of 10, 20 and 30 pages, Bo with one of 40, and Cid without books; and a book without an
    /// author.
    private func context(saved: Bool) throws -> ObjectContext {
        let library = try Library()
        let context = try library.context().context
        let (ann, bo) = (Author(in: context, name: "Ann", born: 1), Author(in: context, name: "Bo", born: 2))
        _ = Author(in: context, name: "Cid", born: 3)
        if !saved { try context.save() }
        for pages in [10, 20, 30] { _ = Book(in: context, title: "a \(pages)", pages: pages, author: ann) }
        _ = Book(in: context, title: "b", pages: 40, author: bo)
        _ = Book(in: context, title: "c", pages: 40)
        if saved { try context.save() }
        return context
    }

    @Test(arguments: [true, false])
    func `Aggregates have the types of their properties, and include pending changes`(saved: Bool) throws {
        let context = try context(saved: saved)
        #expect(try context.sum(\Book.pages) == 140)
        #expect(try context.sum(\Book.pages, where: \.author?.name == "Ann") == 60)
        #expect(try context.average(\Book.pages, where: \.author == nil) == 40)
        #expect(try context.minimum(\Book.pages) == 10)
        #expect(try context.maximum(\Book.title) == "c")
        #expect(try context.maximum(\Book.pages, where: \.pages > 100) == nil)
        let (count, best, sum) = try context.aggregate(
            Book.self, .count(), .maximum(\.pages), .sum(\.pages), where: \.pages < 40)
        #expect(count == 3 && best == 30 && sum == 60)
    }

    @Test(arguments: [true, false])
    func `Groups are returned with their keys`(saved: Bool) throws {
        let context = try context(saved: saved)
        let groups = try context.groups(of: Book.self, by: \.author?.name, .count(), .maximum(\.pages))
        #expect(groups.map(\.0) == [nil, "Ann", "Bo"])
        #expect(groups.map(\.1) == [1, 3, 1] && groups.map(\.2) == [40, 30, 40])
        let great = try context.groups(
            of: Book.self, by: \.author?.name, .sum(\.pages), where: \.author != nil, having: .count() > 1)
        #expect(great.map(\.0) == ["Ann"] && great.map(\.1) == [60])
        let order = try context.groups(of: Book.self, by: \.pages, .count(), order: .descending(by: .count()))
        #expect(order.first?.0 == 40 && order.first?.1 == 2)
    }

    @Test(arguments: [true, false])
    func `Values are fetched without objects`(saved: Bool) throws {
        let context = try context(saved: saved)
        #expect(
            try context.values(of: \Book.pages, order: .descending(\.pages), distinct: true) == [
                40, 30, 20, 10,
            ])
        #expect(
            try context.values(of: \Book.title, where: \.pages == 40, order: .ascending(\.title)) == [
                "b", "c",
            ])
        #expect(
            try context.values(of: \Book.author?.name, order: .ascending(\.title), limit: 2, offset: 2) == [
                "Ann", "Bo",
            ])
    }

    @Test(arguments: [true, false])
    func `Requests can be built dynamically, with rows by name`(saved: Bool) throws {
        let context = try context(saved: saved)
        var request = ValueRequest("Book", ["author.name", .count(), .sum(of: "pages", as: "all")])
        request.groupBy = ["author.name"]
        request.having = try FetchPredicate("@count > 1 OR author.name = NIL")
        request.order = try SortKey.keys("@sum.pages DESC")
        let rows = try context.values(request)
        #expect(rows.map { $0["author.name"] } == [.string("Ann"), .null])
        #expect(
            rows.map { $0["count"] } == [.int(3), .int(1)] && rows.map { $0["all"] } == [.int(60), .int(40)])
        #expect(rows.first?.dictionary["all"] == .int(60) && rows.first?["nothing"] == .null)
        let plain = ValueRequest("Book", ["title", "pages"], order: try SortKey.keys("title"), limit: 1)
        #expect(try context.values(plain).map(\.values) == [[.string("a 10"), .int(10)]])
        var pending = ValueRequest("Book", [.count()])
        pending.includesPendingChanges = false
        #expect(try context.values(pending).map(\.values) == [[.int(saved ? 5 : 0)]])
    }

    @Test func `Invalid requests are rejected before the store is asked`() throws {
        let context = try context(saved: true)
        let mixed = ValueRequest("Book", ["title", .count()])
        #expect(throws: StoreError.self) { try context.values(mixed) }
        #expect(throws: StoreError.self) { try context.values(ValueRequest("Book", ["nothing"])) }
        #expect(throws: StoreError.self) { try context.values(ValueRequest("Nobody", ["nothing"])) }
    }
}
