import Testing

@testable import OrderChecking

/// The violations that the checker finds in handwritten histories.
struct OrderCheckerTests {
    private func violations(_ records: [OrderRecord], isExclusive: Bool = false) -> [String] {
        OrderChecker(isExclusive: isExclusive, readLimit: 1, contents: [:]).violations(records)
    }

    /// Returns the record of a block that failed in each attempt.
    private func failed(
        _ number: Int, _ kind: OrderRecord.Kind = .write, called: Int, _ attempts: (began: Int, ended: Int)...
    ) -> OrderRecord {
        var record = OrderRecord(number: number, kind: kind, lane: 0)
        (record.called, record.accepted, record.returned) = (called, called, 100)
        record.attempts = attempts.map { OrderRecord.Attempt(began: $0.began, ended: $0.ended) }
        return record
    }

    @Test func `A retry may run after blocks that were called later`() {
        #expect(violations([failed(1, called: 1, (3, 4), (9, 10)), failed(2, called: 2, (5, 6))]) == [])
    }

    @Test func `A first attempt must run in the order of calls`() {
        let found = violations([failed(1, called: 1, (7, 8), (9, 10)), failed(2, called: 2, (5, 6))])
        #expect(found == ["2 ran before 1, but was called later"])
    }

    @Test func `A first attempt must not overlap another write`() {
        let first = failed(1, called: 1, (3, 6), (9, 10))
        #expect(violations([first, failed(2, called: 2, (5, 7))]) == ["1 and 2 ran at the same time"])
        let read = failed(2, .read, called: 2, (5, 7))
        #expect(violations([first, read]) == [])
        #expect(violations([first, read], isExclusive: true) == ["1 and 2 ran at the same time"])
    }

    @Test func `An operation that is not listed must have ended`() {
        var record = failed(1, called: 1, (3, 4), (9, 10))
        record.unlisted = 11
        #expect(violations([record]) == [])
        record.unlisted = 5
        #expect(violations([record]) == ["1 was not listed, but ran afterwards"])
        record.isOverlisted = true
        #expect(violations([record]) == ["1 was listed twice, or after its end"])
    }

    @Test func `Each attempt of a read counts toward the limit`() {
        let first = failed(1, .read, called: 1, (3, 6), (9, 10))
        #expect(
            violations([first, failed(2, .read, called: 2, (5, 7))])
                == ["2 reads ran at the same time, but the limit is 1"])
    }
}
