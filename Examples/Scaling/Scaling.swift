import ContextCore
import Foundation

/// Does the same work with increasing numbers of objects, and prints the cost per object.
///
/// The cost per object must not double from a thousand to a hundred thousand objects, because no operation on one object may visit all
/// of them. If it doubles, the program exits with 1.
///
///     swift run -c release --package-path Examples Scaling
@main
struct Scaling {
    static let counts = [1_000, 10_000, 100_000]

    static func main() async throws {
        _ = try await best(of: 3, 1_000)
        var columns: [[(step: String, cost: Double)]] = []
        for count in counts { columns.append(try await best(of: max(3, 20_000 / count), count)) }
        print(
            "µs per object".padded(24) + counts.map { "\($0)".padded(-12) }.joined() + "      growth"
        )
        var isLinear = true
        for (row, first) in columns[0].enumerated() {
            let costs = columns.map { $0[row].cost }
            let growth = (costs.last ?? 0) / first.cost
            isLinear = isLinear && growth < 2
            print(
                first.step.padded(24) + costs.map { String(format: "%.2f", $0).padded(-12) }.joined()
                    + String(format: "%.2f", growth).padded(-12))
        }
        exit(isLinear ? 0 : 1)
    }

    /// The lowest cost of each step in several runs, each on a separate store.
    private static func best(of runs: Int, _ count: Int) async throws -> [(step: String, cost: Double)] {
        var best: [(step: String, cost: Double)] = []
        for _ in 0..<runs {
            let store = try Store.inMemory([Box.self, Label.self, Item.self])
            let costs = try await store.makeBackgroundContext().perform { try Work($0, count: count).costs() }
            best = best.isEmpty ? costs : zip(best, costs).map { ($0.step, min($0.cost, $1.cost)) }
            await store.close()
        }
        return best
    }
}

/// The measured steps, in one context.
struct Work {
    private let context: ObjectContext
    private let count: Int

    init(_ context: ObjectContext, count: Int) {
        self.context = context
        self.count = count
    }

    func costs() throws -> [(step: String, cost: Double)] {
        var costs: [(step: String, cost: Double)] = []
        func measure(_ step: String, _ work: () throws -> Void) rethrows {
            let time = try ContinuousClock().measure(work)
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
            costs.append((step, seconds * 1e6 / Double(count)))
        }
        measure("insert", insert)
        try measure("save", context.save)
        context.reset()
        var items: [Item] = []
        try measure("fetch") { items = try context.fetch(Item.self) }
        try measure("follow relationships") { try follow(items) }
        measure("change half") { change(items) }
        try measure("save changes", context.save)
        try measure("delete a tenth") { try delete() }
        try measure("save deletions", context.save)
        try measure("count") {
            let left = try context.count(Item.self)
            guard left < count, left > count / 2 else { throw WrongResult() }
        }
        return costs
    }

    struct WrongResult: Error {}

    private func insert() {
        let labels = (0..<max(1, count / 10)).map { Label(in: context, name: "label \($0)") }
        for number in 0..<count / 10 {
            let box = Box(in: context, number: number)
            for place in 0..<10 {
                _ = Item(
                    in: context, name: "item \(number) \(place)", box: box,
                    label: labels[(number * 7 + place * 3) % labels.count])
            }
        }
    }

    private func follow(_ items: [Item]) throws {
        let sum = items.reduce(0) { $0 + ($1.box?.number ?? 0) + ($1.label == nil ? 1 : 0) }
        guard sum == 10 * (0..<count / 10).reduce(0, +) else { throw WrongResult() }
    }

    private func change(_ items: [Item]) {
        for (index, item) in items.enumerated() where index % 2 == 0 {
            item.weight += 1
            if index % 4 == 0 { item.box = items[(index + 40) % items.count].box }
        }
    }

    private func delete() throws {
        let boxes = try context.fetch(Box.self, order: .ascending(\.number), limit: count / 100)
        for box in boxes { context.delete(box) }
    }
}

extension String {
    /// Pads the text to a width, on the right, or on the left if the width is negative.
    fileprivate func padded(_ width: Int) -> String {
        let space = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? space + self : self + space
    }
}
