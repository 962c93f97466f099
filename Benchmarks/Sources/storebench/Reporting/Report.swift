import Foundation

/// Prints results as a table for people, or as an object a line for programs.
struct Report {
    let options: Options

    func begin() {
        guard !options.isJSON, !options.isCheck else { return }
        print("backend \(options.backend.rawValue), scale \(options.scale), \(options.rounds) rounds")
        print(row("workload", "ratio", "least", "most", "bar", "ours ms", "base ms", "CPU", "MB", ""))
    }

    func add(_ result: Result) {
        print(options.isJSON ? json(result) : line(result))
        fflush(nil)
    }

    private func line(_ result: Result) -> String {
        if options.isCheck { return "\(result.workload.name): both sides came to the same" }
        let verdict = result.isHeld.map { $0 ? "held" : "MISSED" } ?? ""
        return row(
            result.workload.name, number(result.ratio), number(result.least), number(result.greatest),
            bar(result), number(result.ours * 1000), number(result.baseline * 1000),
            number(result.oursProcessor / result.baselineProcessor), number(result.megabytes), verdict)
    }

    private func bar(_ result: Result) -> String {
        switch result.workload.bars[result.backend] {
        case .ratio(let bar): number(bar)
        case .megabytes(let bar): "\(number(bar)) MB"
        case nil: "-"
        }
    }

    private func row(_ name: String, _ cells: String...) -> String {
        name.padding(toLength: 18, withPad: " ", startingAt: 0)
            + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
    }

    private func number(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.1f", value) }

    private func json(_ result: Result) -> String {
        var fields = [
            "\"workload\":\"\(result.workload.name)\"", "\"backend\":\"\(result.backend.rawValue)\"",
            "\"ratio\":\(exact(result.ratio))", "\"least\":\(exact(result.least))",
            "\"greatest\":\(exact(result.greatest))",
        ]
        switch result.workload.bars[result.backend] {
        case .ratio(let bar): fields.append("\"bar\":\(bar)")
        case .megabytes(let bar): fields.append("\"bar_mb\":\(bar)")
        case nil: fields.append("\"bar\":null")
        }
        fields += [
            "\"ok\":\(result.isHeld.map(String.init) ?? "null")", "\"ours_ms\":\(exact(result.ours * 1000))",
            "\"c_ms\":\(exact(result.baseline * 1000))",
            "\"ours_cpu_ms\":\(exact(result.oursProcessor * 1000))",
            "\"c_cpu_ms\":\(exact(result.baselineProcessor * 1000))", "\"rss_mb\":\(exact(result.megabytes))",
            "\"c_rss_mb\":\(exact(result.baselineMegabytes))",
        ]
        return "{\(fields.joined(separator: ","))}"
    }

    private func exact(_ value: Double) -> String { value.isFinite ? String(format: "%.4f", value) : "null" }
}
