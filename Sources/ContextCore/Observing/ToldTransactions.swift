/// Which transactions of a store have been told, by their numbers.
///
/// In a store with many writers a transaction may become visible before one with a lower number, so those that were told may be ahead of
/// some that weren't.
struct ToldTransactions {
    /// Every transaction up to this number was told, or is none that has to be.
    private(set) var end: Int64
    /// Those that were told beyond it.
    private var ahead: Set<Int64> = []

    init(through end: Int64) { self.end = end }

    func includes(_ number: Int64) -> Bool { number <= end || ahead.contains(number) }

    /// How many were told while some with lower numbers were not.
    var countAhead: Int { ahead.count }

    /// Notes that a transaction was told.
    mutating func note(_ number: Int64) {
        guard number > end else { return }
        if number == end + 1 {
            end = number
            if !ahead.isEmpty { moveOn() }
        } else {
            ahead.insert(number)
        }
    }

    /// Notes that no transaction up to a number is left to be told.
    mutating func settle(through number: Int64) {
        guard number > end else { return }
        end = number
        if !ahead.isEmpty { ahead = ahead.filter { $0 > number } }
        moveOn()
    }

    private mutating func moveOn() {
        while ahead.remove(end + 1) != nil { end += 1 }
    }
}
