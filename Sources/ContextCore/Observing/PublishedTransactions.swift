/// The numbers of the transactions that were published.
///
/// In a store with concurrent writers a transaction may become visible, and be published, before one with a lower number.
struct PublishedTransactions {
    /// The number up to which every transaction is published or needs no publication.
    private(set) var end: Int64
    /// The published numbers above `end`.
    private var ahead: Set<Int64> = []

    init(through end: Int64) { self.end = end }

    func includes(_ number: Int64) -> Bool { number <= end || ahead.contains(number) }

    /// The number of published transactions above `end`.
    var countAhead: Int { ahead.count }

    /// Records that a transaction was published.
    mutating func insert(_ number: Int64) {
        guard number > end else { return }
        if number == end + 1 {
            end = number
            if !ahead.isEmpty { advanceEnd() }
        } else {
            ahead.insert(number)
        }
    }

    /// Records that no transaction up to a number needs publication.
    mutating func advance(through number: Int64) {
        guard number > end else { return }
        end = number
        if !ahead.isEmpty { ahead = ahead.filter { $0 > number } }
        advanceEnd()
    }

    private mutating func advanceEnd() {
        while ahead.remove(end + 1) != nil { end += 1 }
    }
}
