import Testing

@testable import ContextCore

struct PublishedTransactionsTests {
    @Test func `Transactions reported in order advance the end`() {
        var transactions = PublishedTransactions(through: 3)
        transactions.insert(4)
        transactions.insert(5)
        #expect(transactions.end == 5 && transactions.countAhead == 0)
        #expect(transactions.includes(5) && !transactions.includes(6))
    }

    @Test func `Transactions reported early wait for earlier ones`() {
        var transactions = PublishedTransactions(through: 3)
        transactions.insert(6)
        transactions.insert(5)
        #expect(transactions.end == 3 && transactions.countAhead == 2)
        #expect(transactions.includes(6) && !transactions.includes(4))
        transactions.insert(4)
        #expect(transactions.end == 6 && transactions.countAhead == 0)
    }

    @Test func `Transactions that need no report are skipped`() {
        var transactions = PublishedTransactions(through: 3)
        transactions.insert(7)
        transactions.insert(9)
        transactions.advance(through: 6)
        #expect(transactions.end == 7 && transactions.countAhead == 1)
        transactions.advance(through: 2)
        #expect(transactions.end == 7)
        transactions.advance(through: 20)
        #expect(transactions.end == 20 && transactions.countAhead == 0)
    }
}
