/// Proves of a recorded history that a store kept its promises about order, or names what it broke.
///
/// All that it knows is when operations were called, ran and were answered, what they saw, and what is in the store at the end.
struct OrderChecker {
    /// Whether a write was to run beside nothing.
    var isExclusive = false
    /// Whether lanes had an order each; otherwise all writes had one.
    var hasParallelLanes = false
    /// How many reads were to run at once.
    var readLimit: Int
    /// The names of operations that had no session when their turn came: if their blocks ran at all, then in another turn.
    var refused: Set<String> = []
    /// What is in the store at the end, by lane.
    let contents: [Int: OrderContents]

    /// What is not as it has to be, as sentences.
    func violations(_ records: [OrderRecord]) -> [String] {
        var found: [String] = []
        let unanswered = records.filter { $0.returned == nil }
        if !unanswered.isEmpty { found.append("\(unanswered.map(\.number)) were never answered") }
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

    /// An operation is in the store's list until its end, once: one that was not didn't run afterwards.
    private func missing(_ blocks: [OrderRecord]) -> [String] {
        blocks.compactMap { block in
            if block.isOverlisted { return "\(block.number) was listed twice, or after its end" }
            guard let unlisted = block.unlisted, block.attempts.contains(where: { $0.began > unlisted })
            else { return nil }
            return "\(block.number) was in no list, and ran afterwards"
        }
    }

    // MARK: Turns

    /// Writes run one at a time, in the order of submission; with the exclusive discipline reads have a place in it.
    private func turns(_ blocks: [OrderRecord]) -> [String] {
        let blocks = isExclusive ? blocks : blocks.filter { $0.kind == .write }
        return [overtaken(blocks), overlapping(blocks.flatMap(\.runs))].compactMap { $0 }
    }

    /// One that began before another that had its place already when it was called.
    ///
    /// Two reads may begin in any order, as they run together. Only the first turn of a block is looked at: in another it has a new
    /// place, and nobody knows since when.
    private func overtaken(_ blocks: [OrderRecord]) -> String? {
        let begun = blocks.filter { !$0.attempts.isEmpty && !refused.contains($0.name) }
        var (latest, latestWrite) = (Moment(), Moment())
        for block in begun.sorted(by: { $0.attempts[0].began < $1.attempts[0].began }) {
            let before = block.kind == .write ? latest : latestWrite
            if let accepted = block.accepted, accepted < before.moment {
                return "\(before.number) ran before \(block.number), and was called later"
            }
            latest.note(block.called, block.number)
            if block.kind == .write { latestWrite.note(block.called, block.number) }
        }
        return nil
    }

    /// One that began before another had ended, and was not to run beside it.
    private func overlapping(_ runs: [Run]) -> String? {
        var (latest, latestWrite) = (Moment(), Moment())
        for run in runs.sorted(by: { $0.began < $1.began }) {
            let before = run.isWrite ? latest : latestWrite
            if run.began < before.moment { return "\(before.number) and \(run.number) ran at once" }
            latest.note(run.ended, run.number)
            if run.isWrite { latestWrite.note(run.ended, run.number) }
        }
        return nil
    }

    /// No more reads run at once than may.
    private func crowds(_ runs: [Run]) -> [String] {
        let events = runs.filter { !$0.isWrite }.flatMap {
            [(moment: $0.began, change: 1), (moment: $0.ended, change: -1)]
        }
        var (running, most) = (0, 0)
        for event in events.sorted(by: { $0.moment < $1.moment }) {
            running += event.change
            most = max(most, running)
        }
        return most > readLimit ? ["\(most) reads ran at once, and \(readLimit) may"] : []
    }
}

/// One time that a block ran.
private struct Run {
    let number: Int
    let isWrite: Bool
    let began: Int
    /// For ever where it never ended.
    let ended: Int
}

/// The latest of some moments, and whose it is.
private struct Moment {
    private(set) var moment = 0
    private(set) var number = 0

    mutating func note(_ moment: Int, _ number: Int) {
        if moment > self.moment { (self.moment, self.number) = (moment, number) }
    }
}

/// What is in a lane of the store at the end.
struct OrderContents: Sendable {
    var left = OrderSight()
    var right = OrderSight()
    /// The numbers of the writes, by count.
    var entries: [Int: Int] = [:]
}

/// Checks what happened in one lane.
private struct LaneChecker {
    let lane: Int
    let records: [OrderRecord]
    let contents: OrderContents

    /// What was written and acknowledged, in the order in which it took effect.
    private var committed: [OrderRecord] {
        records.filter { $0.kind.changes && $0.isDone }.sorted { $0.count < $1.count }
    }

    func violations() -> [String] {
        (chain() + ends() + realTime() + reads()).map { "lane \(lane): \($0)" }
    }

    /// Each write that was acknowledged built on the one before it; so none was lost, done twice, or built on what was undone.
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

    /// What is in the store at the end is what was acknowledged, and nothing of what failed.
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

    /// A write that was answered before another was called took effect before it.
    private func realTime() -> [String] {
        var latest = 0
        for write in committed {
            if let returned = write.returned, returned < latest {
                return [
                    "write \(write.number) took effect after one that was called when it had been answered"
                ]
            }
            latest = max(latest, write.called)
        }
        return []
    }

    /// A read sees one moment, with every write that was answered before it was called, and no write that was not done.
    private func reads() -> [String] {
        let looks = records.filter { !$0.kind.changes && $0.isDone }
        let numbers = [0] + committed.map(\.number)
        for look in looks {
            guard let first = look.first, let last = look.last else {
                return ["read \(look.number) saw nothing"]
            }
            if first != last { return ["read \(look.number) saw \(first), and then \(last)"] }
            if let entry = look.entry, first.count > 0, entry != first.tag {
                return ["read \(look.number) saw \(first), and the entry of \(entry ?? 0)"]
            }
            guard numbers.indices.contains(first.count), numbers[first.count] == first.tag else {
                return ["read \(look.number) saw \(first), which was never acknowledged"]
            }
        }
        return missed(looks) + backward(looks)
    }

    /// A read that misses a write which had been answered.
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
                return ["read \(look.number) saw \(seen) writes, and \(count) had been answered"]
            }
        }
        return []
    }

    /// A read that sees less than one that was answered before it was called.
    private func backward(_ looks: [OrderRecord]) -> [String] {
        var answered = looks.sorted { ($0.returned ?? .max) < ($1.returned ?? .max) }[...]
        var count = 0
        for look in looks.sorted(by: { $0.called < $1.called }) {
            while let earlier = answered.first, earlier.returned ?? .max < look.called {
                count = max(count, earlier.first?.count ?? 0)
                answered.removeFirst()
            }
            if look.first?.count ?? 0 < count { return ["read \(look.number) saw less than one before it"] }
        }
        return []
    }
}

extension OrderRecord {
    /// Each time that its block ran.
    fileprivate var runs: [Run] {
        attempts.map {
            Run(number: number, isWrite: kind == .write, began: $0.began, ended: $0.ended ?? .max)
        }
    }

    /// How many writes its lane had had before it.
    fileprivate var count: Int { first?.count ?? 0 }
}
