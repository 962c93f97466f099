/// Checks in a recorded history that a store executed operations in the order that it guarantees.
///
/// It uses only the times when operations were called, ran and completed, what they read, and the final contents of the store.
struct OrderChecker {
    /// Whether a write must not run at the same time as a read.
    var isExclusive = false
    /// Whether each lane has a separate order; otherwise all writes have one order.
    var hasParallelLanes = false
    /// The largest number of reads that may run at the same time.
    var readLimit: Int
    /// The names of operations that got no session at their first turn; if their blocks ran at all, they ran at a later one.
    var refused: Set<String> = []
    /// The final contents of the store by lane.
    let contents: [Int: OrderContents]

    /// Returns descriptions of the violations.
    func violations(_ records: [OrderRecord]) -> [String] {
        var found: [String] = []
        let unanswered = records.filter { $0.returned == nil }
        if !unanswered.isEmpty { found.append("\(unanswered.map(\.number)) never completed") }
        let lanes = Dictionary(grouping: records, by: \.lane)
        for (lane, records) in lanes.sorted(by: { $0.key < $1.key }) {
            found += LaneChecker(lane: lane, records: records, contents: contents[lane] ?? OrderContents())
                .violations()
        }
        let blocks = records.filter { $0.kind == .write || $0.kind == .read }
        for group in hasParallelLanes ? Array(Dictionary(grouping: blocks, by: \.lane).values) : [blocks] {
            found += turns(group)
        }
        return found + crowds(blocks.flatMap(\.runs)) + missing(blocks)
    }

    /// Finds operations that the store did not list exactly once until their end.
    ///
    /// An operation that the store doesn't list must not run afterwards.
    private func missing(_ blocks: [OrderRecord]) -> [String] {
        blocks.compactMap { block in
            if block.isOverlisted { return "\(block.number) was listed twice, or after its end" }
            guard let unlisted = block.unlisted, block.attempts.contains(where: { $0.began > unlisted })
            else { return nil }
            return "\(block.number) was not listed, but ran afterwards"
        }
    }

    // MARK: Turns

    /// Finds blocks that ran out of order: writes run one at a time in the order of submission; if exclusive, reads are part of the order.
    private func turns(_ blocks: [OrderRecord]) -> [String] {
        let blocks = isExclusive ? blocks : blocks.filter { $0.kind == .write }
        return [overtaken(blocks), overlapping(blocks.flatMap(\.runs))].compactMap { $0 }
    }

    /// Finds a block that began before another one that had been accepted before it was called.
    ///
    /// Two reads may begin in any order, since they run at the same time. Only the first attempt of a block is checked: for a later one the
    /// block has another position, and the history doesn't record since when.
    private func overtaken(_ blocks: [OrderRecord]) -> String? {
        let begun = blocks.filter { !$0.attempts.isEmpty && !refused.contains($0.name) }
        var (latest, latestWrite) = (Moment(), Moment())
        for block in begun.sorted(by: { $0.attempts[0].began < $1.attempts[0].began }) {
            let before = block.kind == .write ? latest : latestWrite
            if let accepted = block.accepted, accepted < before.time {
                return "\(before.number) ran before \(block.number), but was called later"
            }
            latest.record(block.called, block.number)
            if block.kind == .write { latestWrite.record(block.called, block.number) }
        }
        return nil
    }

    /// Finds two runs that overlap although they must not, since at least one of them is a write.
    private func overlapping(_ runs: [Run]) -> String? {
        var (latest, latestWrite) = (Moment(), Moment())
        for run in runs.sorted(by: { $0.began < $1.began }) {
            let before = run.isWrite ? latest : latestWrite
            if run.began < before.time { return "\(before.number) and \(run.number) ran at the same time" }
            latest.record(run.ended, run.number)
            if run.isWrite { latestWrite.record(run.ended, run.number) }
        }
        return nil
    }

    /// Finds more reads at the same time than the limit.
    private func crowds(_ runs: [Run]) -> [String] {
        let events = runs.filter { !$0.isWrite }.flatMap {
            [(time: $0.began, change: 1), (time: $0.ended, change: -1)]
        }
        var (running, most) = (0, 0)
        for event in events.sorted(by: { $0.time < $1.time }) {
            running += event.change
            most = max(most, running)
        }
        return most > readLimit ? ["\(most) reads ran at the same time, but the limit is \(readLimit)"] : []
    }
}

/// One run of a block.
private struct Run {
    let number: Int
    let isWrite: Bool
    let began: Int
    /// The time of the end; `Int.max` if the run never ended.
    let ended: Int
}

/// The latest of some times, and the number of its operation.
private struct Moment {
    private(set) var time = 0
    private(set) var number = 0

    mutating func record(_ time: Int, _ number: Int) {
        if time > self.time { (self.time, self.number) = (time, number) }
    }
}

/// The final contents of a lane.
struct OrderContents: Sendable {
    var left = OrderSight()
    var right = OrderSight()
    /// The numbers of the writes, by the count that each has reached.
    var entries: [Int: Int] = [:]
}

/// Checks the operations of one lane.
private struct LaneChecker {
    let lane: Int
    let records: [OrderRecord]
    let contents: OrderContents

    /// The successful writes, in the order in which they took effect.
    private var committed: [OrderRecord] {
        records.filter { $0.kind.changes && $0.isDone }.sorted { $0.count < $1.count }
    }

    func violations() -> [String] {
        (chain() + ends() + realTime() + reads()).map { "lane \(lane): \($0)" }
    }

    /// Checks that each successful write has read the state after the one before it.
    ///
    /// So no write is lost, is applied twice, or is based on a write that was rolled back.
    private func chain() -> [String] {
        var before = OrderSight()
        for write in committed {
            guard write.first == before else {
                return ["write \(write.number) saw \(write.first ?? before) instead of \(before)"]
            }
            before = OrderSight(count: before.count + 1, tag: write.number)
        }
        return []
    }

    /// Checks that the final contents are those of all successful writes, and of no others.
    private func ends() -> [String] {
        let expected = Dictionary(
            committed.enumerated().map { ($0 + 1, $1.number) }, uniquingKeysWith: { $1 })
        let last = OrderSight(count: expected.count, tag: committed.last?.number ?? 0)
        var found: [String] = []
        if contents.entries != expected {
            let kept = Set(contents.entries.values)
            let acknowledged = Set(expected.values)
            found.append(
                "\(acknowledged.subtracting(kept).sorted()) are lost, \(kept.subtracting(acknowledged).sorted()) were not acknowledged"
            )
        }
        if contents.left != last || contents.right != last {
            found.append("the ledgers are \(contents.left) and \(contents.right) instead of \(last)")
        }
        return found
    }

    /// Checks that a write that completed before another one was called took effect before it.
    private func realTime() -> [String] {
        var latest = 0
        for write in committed {
            if let returned = write.returned, returned < latest {
                return [
                    "write \(write.number) took effect after one that was called after its completion"
                ]
            }
            latest = max(latest, write.called)
        }
        return []
    }

    /// Checks that each read has one snapshot, with every write that completed before the read was called, and no failed write.
    private func reads() -> [String] {
        let looks = records.filter { !$0.kind.changes && $0.isDone }
        let numbers = [0] + committed.map(\.number)
        for look in looks {
            guard let first = look.first, let last = look.last else {
                return ["read \(look.number) saw nothing"]
            }
            if first != last { return ["read \(look.number) saw \(first), and then \(last)"] }
            if let entry = look.entry, first.count > 0, entry != first.tag {
                return ["read \(look.number) saw \(first), but the entry of \(entry ?? 0)"]
            }
            guard numbers.indices.contains(first.count), numbers[first.count] == first.tag else {
                return ["read \(look.number) saw \(first), which was never acknowledged"]
            }
        }
        return missed(looks) + backward(looks)
    }

    /// Finds a read without a write that had completed before the read was called.
    private func missed(_ looks: [OrderRecord]) -> [String] {
        var writes = committed.enumerated().map { (returned: $1.returned ?? .max, count: $0 + 1) }
            .sorted { $0.returned < $1.returned }[...]
        var count = 0
        for look in looks.sorted(by: { $0.called < $1.called }) {
            while let write = writes.first, write.returned < look.called {
                count = max(count, write.count)
                writes.removeFirst()
            }
            let seen = look.first?.count ?? 0
            if seen < count {
                return ["read \(look.number) saw \(seen) writes, but \(count) had completed"]
            }
        }
        return []
    }

    /// Finds a read with an older snapshot than a read that had completed before it was called.
    private func backward(_ looks: [OrderRecord]) -> [String] {
        var answered = looks.sorted { ($0.returned ?? .max) < ($1.returned ?? .max) }[...]
        var count = 0
        for look in looks.sorted(by: { $0.called < $1.called }) {
            while let earlier = answered.first, earlier.returned ?? .max < look.called {
                count = max(count, earlier.first?.count ?? 0)
                answered.removeFirst()
            }
            if look.first?.count ?? 0 < count { return ["read \(look.number) saw less than an earlier one"] }
        }
        return []
    }
}

extension OrderRecord {
    /// The runs of its block.
    fileprivate var runs: [Run] {
        attempts.map {
            Run(number: number, isWrite: kind == .write, began: $0.began, ended: $0.ended ?? .max)
        }
    }

    /// The number of writes in its lane before it.
    fileprivate var count: Int { first?.count ?? 0 }
}
