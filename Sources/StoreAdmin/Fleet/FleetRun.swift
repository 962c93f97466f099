import ContextCore
import Foundation
import Synchronization

/// Runs a command's work for each tenant of an address, some at a time, and reports a line for each.
///
/// Lines appear in the order in which the work ends: a slow tenant doesn't delay the lines of others, and no line waits in memory.
/// The rows of a document, which is printed as a whole, are in the order of the names.
///
/// State: what was begun and what became of it, guarded by a mutex, which is held while a line is printed so that no two lines mix.
final class FleetRun: Sendable {
    /// What is the same for all tenants of a command.
    struct Plan: Sendable {
        /// The name of the document's shape.
        let schema: String
        /// How the summary calls the outcomes.
        let words: FleetTally.Words
        /// The columns that the command has beside those of every fleet command.
        let columns: [RowSet.Column]
        /// Whether lines end with the seconds that the work took.
        var isTimed = false
        /// Whether tenants that need attention make the run exit with 2.
        var mindsAttention = true
    }

    static let options: [OptionDeclaration] =
        FleetSelection.options + [
            .option("jobs", nil, "N", "How many tenants are worked on at a time: 1 to 64; 4 unless given."),
            .flag("fail-fast", nil, "Begins with no further tenant once one has failed."),
        ]

    /// More at a time than that only wait for each other, each with connections to the server.
    private static let mostJobs = 64

    /// The options of fleet commands that mean nothing to the command of one store, or something else.
    private static let ownOptions = Set(
        options.map(\.name) + ["newer-than", "kinds", Confirmation.option.name])

    private struct State {
        /// The place of the tenant that is begun next.
        var next = 0
        /// By tenant: whether its work is finished.
        var isFinished: [Bool]
        var tally: FleetTally
        /// The rows by the places of the tenants; empty where each is printed at once.
        var rows: [Int: [RowSet.Cell]] = [:]
        /// An error of the call; it ends the run.
        var failure: (any Error)?
        /// The first error of printing a line, after which none is printed; the work goes on.
        var outputFailure: (any Error)?
    }

    let store: AdministeredStore
    let tenants: [String]
    private let address: ResolvedAddress
    private let call: CommandCall
    private let plan: Plan
    private let jobs: Int
    private let nameWidth: Int
    private let state: Mutex<State>

    /// Looks the address up, with its secrets, and lists its tenants: the work for each tenant does neither again.
    ///
    /// - Throws: ``AdminError`` if no tenant has a store at the address, no tenant is chosen that was asked for, or an option makes no sense.
    init(_ call: CommandCall, _ plan: Plan) throws {
        jobs = try call.arguments.positiveCount("jobs") ?? 4
        if jobs > Self.mostJobs {
            throw AdminError.usage("--jobs takes a number from 1 to \(Self.mostJobs), not \(jobs).")
        }
        address = try call.address()
        store = try address.store()
        tenants = try FleetSelection(call.arguments).tenants(of: store)
        if tenants.isEmpty {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "no tenant has a store at \(store.url).",
                hint: "Check the address. 'storectl db create --tenant' makes a tenant's store.")
        }
        self.call = call
        self.plan = plan
        nameWidth = tenants.map(\.count).max() ?? 0
        state = Mutex(
            State(
                isFinished: Array(repeating: false, count: tenants.count),
                tally: FleetTally(total: tenants.count, mindsAttention: plan.mindsAttention)))
    }

    /// Does the work for all tenants; blocks until the last piece of it has ended.
    ///
    /// The first signal stops what can stop between two of its parts, and lets everything else come to its end.
    ///
    /// - Parameter work: Does what the command does for the store of a call, which is a tenant's.
    func run(_ work: @escaping @Sendable (CommandCall) throws -> TenantResult) throws -> Report {
        call.interruption.heeded {
            let group = DispatchGroup()
            for _ in 0..<min(jobs, tenants.count) {
                group.enter()
                Thread { [self] in
                    while let index = beginNextTenant() {
                        finish(index, result(of: work, for: tenants[index]))
                    }
                    group.leave()
                }.start()
            }
            group.wait()
        }
        return try report()
    }

    /// The place of the next tenant; nil where no more is to be begun.
    private func beginNextTenant() -> Int? {
        state.withLock { state in
            let isOver = call.arguments.has("fail-fast") && !state.tally.failed.isEmpty
            guard !isOver, state.failure == nil, !call.interruption.isWanted, state.next < tenants.count
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
            let error = AdminError(error).scrubbed(call.tool.surroundings.secrets)
            // Options that make no sense make none for any tenant.
            if error.code == AdminError.usage("").code { return .failure(error) }
            result = TenantResult(error)
        }
        result.duration = ContinuousClock.now - start
        return .success(result)
    }

    /// The call of a command for one tenant: silent, since what the work of several says would mix.
    private func tenantCall(_ tenant: String) -> CommandCall {
        var arguments = call.arguments.removing(Self.ownOptions)
        arguments.note("tenant", tenant)
        return CommandCall(
            arguments: arguments, tool: call.tool, form: .json,
            output: Output(data: { _ in }, message: { _ in }, isQuiet: true),
            interruption: call.interruption.withoutSignals, isOneOfMany: true, resolvedAddress: address)
    }

    private func finish(_ index: Int, _ result: Result<TenantResult, any Error>) {
        state.withLock { state in
            do {
                let result = try result.get()
                state.tally.record(result.outcome, of: tenants[index])
                state.isFinished[index] = result.outcome != .stopped
                switch call.form {
                case .table, .jsonl:
                    guard state.outputFailure == nil else { return }
                    do {
                        try print(result, of: tenants[index])
                    } catch {
                        // A reader that is gone must neither stop the work half-way nor make it look done.
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
            result.lines(name, style, isVerbose: isVerbose, isTimed: plan.isTimed)
        }
        line.rows = rowSet([result.row(tenant, width: plan.columns.count)])
        try line.naming(call.tool).print(call.form, to: call.output, hiding: call.tool.surroundings.secrets)
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
            let signal = rest == nil ? nil : call.interruption.error(plan.schema, hint: "")
            let next = rest.map { tenants[$0] }
            let text =
                state.tally.text(plan.words)
                + (next.map { "Run the same again, or with --from \($0), to go on.\n" } ?? "")
            if let error = state.outputFailure { throw Self.unprinted(error, text) }
            printSummary(text, isTrouble: next != nil || !state.tally.failed.isEmpty)
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

    /// Writes the summary to standard error for forms that have no room for it.
    private func printSummary(_ text: String, isTrouble: Bool) {
        switch call.form {
        case .table, .json: return
        case .jsonl, .csv, .md: if isTrouble || !call.output.isQuiet { call.output.message(text) }
        }
    }

    /// The error of a run whose lines couldn't be printed; it tells what became of the work.
    private static func unprinted(_ error: any Error, _ summary: String) -> AdminError {
        let error = AdminError(error)
        return AdminError(
            code: error.code, exit: error.exit,
            message: error.message + "\nThe work went on:\n" + summary.trimmingSpaces,
            hint: "'storectl fleet status' shows how the tenants' stores are.", detail: error.detail)
    }
}
