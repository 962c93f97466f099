import Testing

@testable import ContextCore

/// The members of a relationship and their pending changes, without a store.
struct ToManyStateTests {
    private let books: [Book]

    init() throws {
        let context = try Library().context().context
        books = ["A", "B", "C"].map { Book(in: context, title: $0) }
    }

    /// Loads a list with members at the positions 1, 2, 3.
    private func load(_ state: ToManyState, _ members: [Book]) {
        for (index, member) in members.enumerated() { state.positions[member] = Int64(index + 1) }
        state.load(Set(members), members)
    }

    @Test func `A list whose removed member is restored follows the order of newer stored members`() {
        let state = ToManyState(isOrdered: true, isLoaded: false)
        load(state, books)
        state.remove(books[2])
        state.add(books[2])
        state.restorePosition(books[2])
        #expect(!state.isDirty && state.list == books)
        state.unload()
        let newer = [books[0], books[2], books[1]]
        load(state, newer)
        #expect(!state.isDirty && state.list == newer)
    }

    @Test func `A list keeps no positions of former members`() {
        let state = ToManyState(isOrdered: true, isLoaded: false)
        load(state, books)
        state.remove(books[0])
        state.unload()
        load(state, [books[1], books[2]])
        #expect(!state.isDirty && state.positions.count == 2)
    }
}
