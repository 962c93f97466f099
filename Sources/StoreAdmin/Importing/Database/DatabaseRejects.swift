import ContextCore

/// The rows of another program's database that can't be imported: they stop the import, or are counted and written to a file.
final class DatabaseRejects {
    private static let printed = 20

    let isCollecting: Bool
    private let call: CommandCall
    private var file: RejectFile?
    private(set) var count = 0
    /// The first sentences about rejected rows.
    private(set) var sentences: [String] = []

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
        count += 1
        if count <= Self.printed {
            sentences.append("\(row.place): \(row.reason).")
            if isCollecting { call.output.info("\(row.place): \(row.reason)") }
        } else if count == Self.printed + 1, isCollecting {
            call.output.info("More rows are rejected; --rejects FILE writes all of them to a file.")
        }
        try file?.append(row)
    }

    /// Throws if there are rejected rows and they aren't collected; otherwise completes the file.
    func finish() throws {
        if count == 0 { return }
        if isCollecting {
            try file?.finish()
            return
        }
        throw AdminError.badData(
            (["\(Quantity.text(count, "row", "rows")) can't be imported:"] + sentences).joined(
                separator: "\n"),
            hint:
                "Nothing was imported. Correct the rows, leave them out with --rejects FILE, or give their values up with --accept-loss."
        )
    }

    func close() { file?.close() }
}
