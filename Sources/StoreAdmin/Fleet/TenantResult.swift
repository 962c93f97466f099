import ContextCore

/// The result of a fleet command for one tenant.
struct TenantResult: Sendable {
    /// The outcome of the work.
    enum Outcome: String, Sendable, CaseIterable {
        /// The work is done.
        case done
        /// There was nothing to do.
        case skipped
        /// The work is done, and found something that the operator has to look at.
        case attention
        /// The work failed.
        case failed
        /// A signal stopped the work, which the same command continues.
        case stopped
    }

    let outcome: Outcome
    /// The summary of the work, in a few words.
    let text: String
    /// The values of the command's own columns; empty if the work failed.
    var cells: [RowSet.Cell] = []
    /// Further lines, which `--verbose` prints.
    var details: [String] = []
    /// The error that ended the work.
    var error: AdminError?
    /// The duration of the work.
    var duration = Duration.zero

    init(_ outcome: Outcome, _ text: String, cells: [RowSet.Cell] = [], details: [String] = []) {
        self.outcome = outcome
        self.text = text
        self.cells = cells
        self.details = details
    }

    init(_ error: AdminError) {
        let isStopped = ExitCode.stoppableCommands.contains(error.exit)
        let message = error.message.split(whereSeparator: \.isNewline).map(\.trimmingSpaces)
            .joined(separator: " ")
        outcome = isStopped ? .stopped : .failed
        text = isStopped ? "stopped" : "failed: \(error.code) \(message)"
        details = [error.detail, error.hint].compactMap(\.self)
        self.error = error
    }
}

extension TenantResult {
    private static let firstColumns: [RowSet.Column] = [.init("tenant"), .init("outcome")]
    private static let lastColumns: [RowSet.Column] = [
        .init("milliseconds", isRightAligned: true), .init("code"), .init("error"),
    ]

    /// Returns the columns of a command's results: those of every fleet command, and its own in between.
    static func columns(_ own: [RowSet.Column]) -> [RowSet.Column] { firstColumns + own + lastColumns }

    /// Returns the result as a row.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's name.
    ///   - width: The number of the command's own columns.
    func row(_ tenant: String, width: Int) -> [RowSet.Cell] {
        [.string(tenant), .string(outcome.rawValue)]
            + (cells.isEmpty ? Array(repeating: .none, count: width) : cells)
            + [
                .count(Quantity.milliseconds(duration)), error.map { .string($0.code) } ?? .none,
                error.map { .string($0.message) } ?? .none,
            ]
    }

    /// Returns the result as a line of text, optionally followed by the details.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's name, padded to the width of its column.
    ///   - isVerbose: Whether to include the details, one per line.
    ///   - showsDuration: Whether to include the duration if the work is done.
    func lines(_ tenant: String, _ style: TextStyle, isVerbose: Bool, showsDuration: Bool) -> String {
        let time = showsDuration && outcome == .done ? ", \(Quantity.seconds(duration))" : ""
        let line = TextTable.escapingControlCharacters(text) + time
        let colored =
            switch outcome {
            case .done, .skipped: line
            case .attention, .stopped: style.yellow(line)
            case .failed: style.red(line)
            }
        let more =
            isVerbose ? details.map { "    \(TextTable.escapingControlCharacters($0))\n" }.joined() : ""
        return "\(tenant)  \(colored)\n\(more)"
    }
}
