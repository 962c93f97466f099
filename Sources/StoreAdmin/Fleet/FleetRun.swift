import ContextCore
import Foundation

/// Runs a command for each tenant of an address, several at a time, and reports one line per tenant.
///
/// Lines appear in the order in which the tenants finish, so a slow tenant doesn't delay the lines of others, and no line is buffered.
/// A JSON, CSV, or Markdown document is printed at the end, with its rows in the order of the tenants' names.
///
/// State: the next tenant and the results, guarded by a mutex. It is held while a line is printed so that lines don't interleave.
final class FleetRun: Sendable {
    /// The settings of a fleet command that are the same for all tenants.
    struct Plan: Sendable {
        /// The name of the document's schema.
        let schema: String
        /// The names of the outcomes in the summary.
        let words: FleetTally.Words
        /// The columns that the command adds to those of every fleet command.
        let columns: [RowSet.Column]
        /// Whether lines end with the duration of the work in seconds.
        var showsDuration = false
        /// Whether the run exits with 2 if a tenant needs attention.
        var failsOnAttention = true
    }

    static let options: [OptionDeclaration] =
        FleetSelection.options + [
            .option("jobs", nil, "N", "How many tenants to work on in parallel, 1 to 64. The default is 4."),
            .flag("fail-fast", nil, "Starts no further tenants after one has failed."),
        ]

    /// The maximum number of jobs, each of which has its own connections to the server.
    private static let maximumJobs = 64

    /// The options of fleet commands that the command for one store doesn't have, or defines differently.
    private static let ownOptions = Set(
        options.map(\.name) + ["newer-than", "kinds", Confirmation.option.name])

    private struct State {
        /// The index of the next tenant to start.
        var next = 0
        /// Whether the work for a tenant is finished, by the tenant's index.
        var isFinished: [Bool]
        var tally: FleetTally
        /// The rows by the tenants' indexes; empty for formats that print each row at once.
        var rows: [Int: [RowSet.Cell]] = [:]
        /// A usage error, which ends the run.
        var failure: (any Error)?
        /// The first error of printing a line, after which the run continues without printing lines.
        var outputFailure: (any Error)?
    }

    let store: AdministeredStore
    let tenants: [String]
    private let address: ResolvedAddress
    private let call: CommandCall
    private let plan: Plan
    private let jobs: Int
    private let nameWidth: Int
    private let state: Guarded<State>

    /// Resolves the address with its secrets once for all tenants, and lists its tenants.
    ///
    /// - Throws: ``AdminError`` if no tenant has a store at the address, the options select no tenant, or an option is invalid.
    init(_ call: CommandCall, _ plan: Plan) throws {
        jobs = try call.arguments.positiveCount("jobs") ?? 4
        if jobs > Self.maximumJobs {
            throw AdminError.usage("--jobs must be between 1 and \(Self.maximumJobs), not \(jobs).")
        }
        address = try call.address()
        store = try address.store()
        tenants = try FleetSelection(call.arguments).tenants(of: store)
        if tenants.isEmpty {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "no tenant has a store at \(store.url).",
                hint: "Check the address. 'storectl db create --tenant' creates a tenant's store.")
        }
        self.call = call
        self.plan = plan
        nameWidth = tenants.map(\.count).max() ?? 0
        state = Guarded(
            State(
                isFinished: Array(repeating: false, count: tenants.count),
                tally: FleetTally(total: tenants.count, failsOnAttention: plan.failsOnAttention)))
    }

    /// Runs the work for all tenants, and blocks until it has ended.
    ///
    /// After the first signal no further tenants start. Work that can stop between two steps stops there; other work finishes.
    ///
    /// - Parameter work: Runs the command for one tenant, whose store the call names.
    func run(_ work: @escaping @Sendable (CommandCall) throws -> TenantResult) throws -> Report {
        call.stopRequest.withSignalHandlers {
            let group = DispatchGroup()
            for _ in 0..<min(jobs, tenants.count) {
                group.enter()
                let thread = Thread { [self] in
                    while let index = beginNextTenant() {
                        finish(index, result(of: work, for: tenants[index]))
                    }
                    group.leave()
                }
                thread.enlargeStack()
                thread.start()
            }
            group.wait()
        }
        return try report()
    }

    /// Returns the index of the next tenant to start; nil if no further tenant should start.
    private func beginNextTenant() -> Int? {
        state.withLock { state in
            let isOver = call.arguments.has("fail-fast") && !state.tally.failed.isEmpty
            guard !isOver, state.failure == nil, !call.stopRequest.isRequested, state.next < tenants.count
            else {
                return nil
            }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func result(
        of work: (CommandCall) throws -> TenantResult, for tenant: String
    ) -> Result<TenantResult, any Error> {
        let start = ContinuousClock.now
        var result: TenantResult
        do {
            result = try work(tenantCall(tenant))
        } catch {
            let error = AdminError(error).redacted(call.tool.environment.secrets)
            // An invalid option is invalid for every tenant.
            if error.code == AdminError.usage("").code { return .failure(error) }
            result = TenantResult(error)
        }
        result.duration = ContinuousClock.now - start
        return .success(result)
    }

    /// Makes the call of a command for one tenant, without output, because the output of several tenants would interleave.
    private func tenantCall(_ tenant: String) -> CommandCall {
        var arguments = call.arguments.removing(Self.ownOptions)
        arguments.append("tenant", tenant)
        return CommandCall(
            arguments: arguments, tool: call.tool, format: .json,
            output: Output(data: { _ in }, message: { _ in }, isQuiet: true),
            stopRequest: call.stopRequest.withoutSignals, isPartOfFleet: true, resolvedAddress: address)
    }

    private func finish(_ index: Int, _ result: Result<TenantResult, any Error>) {
        state.withLock { state in
            do {
                let result = try result.get()
                state.tally.record(result.outcome, of: tenants[index])
                state.isFinished[index] = result.outcome != .stopped
                switch call.format {
                case .table, .jsonl:
                    guard state.outputFailure == nil else { return }
                    do {
                        try print(result, of: tenants[index])
                    } catch {
                        // If the reader of the output has exited, the work continues and the error is reported at the end.
                        state.outputFailure = error
                    }
                case .json, .csv, .md:
                    state.rows[index] = result.row(tenants[index], width: plan.columns.count)
                }
            } catch {
                state.failure = state.failure ?? error
            }
        }
    }

    private func print(_ result: TenantResult, of tenant: String) throws {
        let name = tenant + String(repeating: " ", count: nameWidth - tenant.count)
        let isVerbose = call.arguments.has("verbose")
        var line = Report(plan.schema, [:]) { [plan] style in
            result.lines(name, style, isVerbose: isVerbose, showsDuration: plan.showsDuration)
        }
        line.rows = rowSet([result.row(tenant, width: plan.columns.count)])
        try line.naming(call.tool).print(call.format, to: call.output, hiding: call.tool.environment.secrets)
    }

    private func rowSet(_ rows: [[RowSet.Cell]]) -> RowSet {
        var set = RowSet(TenantResult.columns(plan.columns))
        set.rows = rows
        return set
    }

    private func report() throws -> Report {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            let rest = state.isFinished.firstIndex(of: false)
            let signal = rest == nil ? nil : call.stopRequest.error(plan.schema, hint: "")
            let next = rest.map { tenants[$0] }
            let text =
                state.tally.text(plan.words)
                + (next.map { "To continue, run the same command again, or add --from \($0).\n" } ?? "")
            if let error = state.outputFailure { throw Self.outputError(error, text) }
            printSummary(text, hasFailures: next != nil || !state.tally.failed.isEmpty)
            let rows = rowSet(state.rows.sorted { $0.key < $1.key }.map(\.value))
            var report = Report(
                plan.schema,
                [
                    "store": store.json, "summary": state.tally.json, "rows": .array(rows.documents),
                    "next": next.map { .string($0) } ?? .null,
                ], exit: signal?.exit ?? state.tally.exit
            ) { _ in text }
            report.rows = rows
            return report
        }
    }

    /// Writes the summary to standard error for formats that can't contain it.
    private func printSummary(_ text: String, hasFailures: Bool) {
        switch call.format {
        case .table, .json: return
        case .jsonl, .csv, .md: if hasFailures || !call.output.isQuiet { call.output.message(text) }
        }
    }

    /// Returns the error of a run that couldn't print its lines, with the summary of the work.
    private static func outputError(_ error: any Error, _ summary: String) -> AdminError {
        let error = AdminError(error)
        return AdminError(
            code: error.code, exit: error.exit,
            message: error.message + "\nThe work continued:\n" + summary.trimmingSpaces,
            hint: "Run 'storectl fleet status' to see the tenants' stores.", detail: error.detail)
    }
}
