import ContextCore

/// The rows of another program's database that can't be imported: they stop the import, or are counted and written to a file.
final class DatabaseRejects {
    let isCollecting: Bool
    private let call: CommandCall
    private var file: RejectFile?
    private var tally = RejectTally()

    var count: Int { tally.count }

    init(_ call: CommandCall) throws {
        self.call = call
        let path = call.arguments["rejects"]
        isCollecting = path != nil || call.arguments["on-error"] == "reject"
        if path != nil, call.arguments["on-error"] == "stop" {
            throw AdminError.usage("--rejects and --on-error stop exclude each other.")
        }
        if call.arguments.has("dry-run") { return }
        // A resumed import reads all rows again, and finds the same ones.
        file = try path.map {
            try RejectFile(
                call.tool.environment.resolved($0), delimiter: UInt8(ascii: ","),
                replaces: call.arguments.has("resume"))
        }
    }

    func add(_ row: RejectedTableRow) throws {
        tally.add(row)
        try file?.append(row)
    }

    /// Throws if there are rejected rows and they aren't collected; otherwise prints their numbers, and completes the file.
    func finish() throws {
        if count == 0 { return }
        if isCollecting {
            for sentence in tally.sentences { call.output.info(sentence) }
            try file?.finish()
            return
        }
        throw AdminError.badData(
            (["\(Quantity.text(count, "row", "rows")) can't be imported:"] + tally.sentences).joined(
                separator: "\n"),
            hint:
                "Nothing was imported. Correct the rows, leave them out with --rejects FILE, which writes their values to a file, or give values up with --accept-loss."
        )
    }

    func close() { file?.close() }
}
