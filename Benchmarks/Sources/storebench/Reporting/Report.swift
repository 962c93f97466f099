import Foundation

/// Prints results as a table, or as one JSON object per line.
struct Report {
    let options: Options

    func begin() {
        guard !options.isJSON, options.action == .compare else { return }
        print(
            "backend \(options.backend.rawValue), scale \(options.scale ?? 1), \(options.rounds) rounds; statements and trips: ours/C"
        )
        print(
            row(
                [
                    "workload", "ratio", "min", "max", "bar", "ours ms", "base ms", "CPU", "MB",
                    "statements", "trips",
                ]
                    + (options.peer.map { [$0.rawValue] } ?? []) + [""]))
    }

    func add(_ result: Result) {
        print(options.isJSON ? json(result) : line(result))
        fflush(nil)
    }

    // MARK: Tables

    private func line(_ result: Result) -> String {
        if options.action == .check { return "\(result.workload.name): both sides have the same result" }
        let (ours, baseline) = (result.counted.ours.reading, result.counted.baseline.reading)
        let verdict = result.isMet.map { $0 ? "met" : "MISSED" } ?? ""
        let peer = options.peer.map { _ in [result.peer.map { number($0 / result.baseline) } ?? "-"] } ?? []
        return row(
            [
                result.workload.name, number(result.ratio), number(result.least), number(result.greatest),
                bar(result), number(result.ours * 1000), number(result.baseline * 1000),
                number(result.oursProcessor / result.baselineProcessor), number(result.megabytes),
                "\(ours.statements)/\(baseline.statements)", "\(ours.roundTrips)/\(baseline.roundTrips)",
            ] + peer + [verdict])
    }

    private func bar(_ result: Result) -> String {
        switch result.bar {
        case .ratio(let bar): number(bar)
        case .megabytes(let bar): "\(number(bar)) MB"
        case nil: "-"
        }
    }

    private func row(_ cells: [String]) -> String {
        cells[0].padding(toLength: 18, withPad: " ", startingAt: 0)
            + cells.dropFirst().map { cell in
                let width = cell.contains("/") || cell == "statements" || cell == "trips" ? 14 : 9
                return String(repeating: " ", count: max(1, width - cell.count)) + cell
            }.joined()
    }

    private func number(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.1f", value) }

    // MARK: JSON

    private func json(_ result: Result) -> String {
        let (ours, baseline) = (result.counted.ours.reading, result.counted.baseline.reading)
        var fields = [
            ("workload", quoted(result.workload.name)), ("backend", quoted(result.backend.rawValue)),
            ("ratio", exact(result.ratio)), ("least", exact(result.least)),
            ("greatest", exact(result.greatest)),
        ]
        switch result.bar {
        case .ratio(let bar): fields += [("bar", exact(bar)), ("bar_of", quoted("ratio"))]
        case .megabytes(let bar): fields += [("bar", exact(bar)), ("bar_of", quoted("rss_mb"))]
        case nil: fields += [("bar", "null"), ("bar_of", "null")]
        }
        fields += [
            ("ok", result.isMet.map(String.init) ?? "null"), ("ours_ms", exact(result.ours * 1000)),
            ("c_ms", exact(result.baseline * 1000)), ("ours_cpu_ms", exact(result.oursProcessor * 1000)),
            ("c_cpu_ms", exact(result.baselineProcessor * 1000)), ("rss_mb", exact(result.megabytes)),
            ("c_rss_mb", exact(result.baselineMegabytes)), ("statements", "\(ours.statements)"),
            ("c_statements", "\(baseline.statements)"), ("round_trips", "\(ours.roundTrips)"),
            ("c_round_trips", "\(baseline.roundTrips)"),
        ]
        if let peer = options.peer {
            fields += [
                ("peer", quoted(peer.rawValue)), ("peer_ms", result.peer.map { exact($0 * 1000) } ?? "null"),
            ]
        }
        return "{\(fields.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }

    private func quoted(_ text: String) -> String { "\"\(text)\"" }

    private func exact(_ value: Double) -> String { value.isFinite ? String(format: "%.4f", value) : "null" }
}
