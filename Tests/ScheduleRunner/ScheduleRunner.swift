import OrderChecking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs many schedules of the pipeline over a pool of connections, and prints those that break a guarantee.
///
///     ScheduleRunner FIRST COUNT
///
/// A debug build prints more details, and a release build runs many times as many schedules: see scripts/check-schedules.sh.
@main enum ScheduleRunner {
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard CommandLine.arguments.count == 3, numbers.count == 2 else {
            print("usage: ScheduleRunner FIRST COUNT")
            exit(64)
        }
        let model = try SeededOrder.makeModel()
        // The checker must find the planted bugs; otherwise its results prove nothing.
        for bug in PlantedBug.allCases {
            guard let seed = SeededOrder.seed(finding: bug, model) else {
                fatalError("The checker has not found a planted bug: \(bug).")
            }
            print("Found the planted bug \(bug) with seed \(seed).")
        }
        let broken = (numbers[0]..<numbers[0] + numbers[1]).filter { seed in
            let violations = SeededOrder(seed: seed).violations(model)
            if !violations.isEmpty { print("STORE_ORDER_SEED=\(seed): \(violations)") }
            return !violations.isEmpty
        }
        print("\(numbers[1]) schedules from seed \(numbers[0]) on, \(broken.count) of them broken.")
        if !broken.isEmpty { exit(1) }
    }
}
