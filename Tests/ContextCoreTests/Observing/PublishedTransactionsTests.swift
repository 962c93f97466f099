import Testing

@testable import ContextCore

struct PublishedTransactionsTests {
    @Test func `Transactions reported in order advance the end`() {
        var told = PublishedTransactions(through: 3)
        told.insert(4)
        told.insert(5)
        #expect(told.end == 5 && told.countAhead == 0)
        #expect(told.includes(5) && !told.includes(6))
    }

    @Test func `Transactions reported early wait for earlier ones`() {
        var told = PublishedTransactions(through: 3)
        told.insert(6)
        told.insert(5)
        #expect(told.end == 3 && told.countAhead == 2)
        #expect(told.includes(6) && !told.includes(4))
        told.insert(4)
        #expect(told.end == 6 && told.countAhead == 0)
    }

    @Test func `Transactions that need no report are skipped`() {
        var told = PublishedTransactions(through: 3)
        told.insert(7)
        told.insert(9)
        told.advance(through: 6)
        #expect(told.end == 7 && told.countAhead == 1)
        told.advance(through: 2)
        #expect(told.end == 7)
        told.advance(through: 20)
        #expect(told.end == 20 && told.countAhead == 0)
    }
}
