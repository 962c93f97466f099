import ContextCore

/// What became of a command's work for one tenant.
struct TenantResult: Sendable {
    /// How the work ended.
    enum Outcome: String, Sendable, CaseIterable {
        /// The work was done.
        case done
        /// There was nothing to do.
        case skipped
        /// The work was done, and found something that a person has to look at.
        case attention
        /// The work failed.
        case failed
        /// A signal stopped the work before its end; the same command goes on with it.
        case stopped
    }

    let outcome: Outcome
    /// What was done or found, in a few words.
    let text: String
    /// The values of the command's own columns; empty where the work failed.
    var cells: [RowSet.Cell] = []
    /// What else there is to say, a line each.
    var details: [String] = []
    /// What kept the work from its end.
    var error: AdminError?
    /// How long the work took.
    var duration = Duration.zero

    init(_ outcome: Outcome, _ text: String, cells: [RowSet.Cell] = [], details: [String] = []) {
        self.outcome = outcome
        self.text = text
        self.cells = cells
        self.details = details
    }

    init(_ error: AdminError) {
        let isStopped = ExitCode.ofStopping.contains(error.exit)
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
        .init("milliseconds", isRight: true), .init("code"), .init("error"),
    ]

    /// The columns of all results of a command.
    static func columns(_ own: [RowSet.Column]) -> [RowSet.Column] { firstColumns + own + lastColumns }

    /// The result as a row.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's name.
    ///   - width: How many columns the command has of its own.
    func row(_ tenant: String, width: Int) -> [RowSet.Cell] {
        [.string(tenant), .string(outcome.rawValue)]
            + (cells.isEmpty ? Array(repeating: .none, count: width) : cells)
            + [
                .count(Quantity.milliseconds(duration)), error.map { .string($0.code) } ?? .none,
                error.map { .string($0.message) } ?? .none,
            ]
    }

    /// The result as a line for people; with what else there is to say, each beneath it.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's name, with spaces behind it for a column.
    ///   - isVerbose: Whether the details are wanted.
    ///   - isTimed: Whether the time of work that was done is told.
    func lines(_ tenant: String, _ style: TextStyle, isVerbose: Bool, isTimed: Bool) -> String {
        let time = isTimed && outcome == .done ? ", \(Quantity.seconds(duration))" : ""
        let told = TextTable.onOneLine(text) + time
        let coloured =
            switch outcome {
            case .done, .skipped: told
            case .attention, .stopped: style.yellow(told)
            case .failed: style.red(told)
            }
        let more = isVerbose ? details.map { "    \(TextTable.onOneLine($0))\n" }.joined() : ""
        return "\(tenant)  \(coloured)\n\(more)"
    }
}
