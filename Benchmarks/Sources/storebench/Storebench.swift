import Foundation

/// Measures the object graph in comparison with C.
///
/// See `Options.usage`.
@main
enum Storebench {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        // Detached, as the tasks of a server are: a task on the main actor would switch threads once more per operation.
        Task.detached { await perform(words) }
        // Valgrind 3.19 crashes in `dispatchMain`.
        DispatchSemaphore(value: 0).wait()
    }

    private static func perform(_ words: [String]) async -> Never {
        do {
            if let writer = WriterProcess(words) {
                try await writer.run()
                exit(0)
            }
            let options = try Options(words)
            if options.backend == .postgres { try DatabaseServer.runBeside(words) }
            exit(try await run(options) ? 0 : 2)
        } catch let error as Options.UsageError {
            FileHandle.standardError.write(Data("storebench: \(error)\n".utf8))
            exit(64)
        } catch {
            FileHandle.standardError.write(Data("storebench: \(error)\n".utf8))
            exit(70)
        }
    }

    /// Runs the requested action, and returns whether every bar is met.
    private static func run(_ options: Options) async throws -> Bool {
        switch options.action {
        case .scaling: return try await Scaling(options: options).run()
        case .copy: return try await CopyRun(options: options).run()
        case .instructions: return try InstructionRun(options: options).run()
        case .list:
            for workload in Workload.all { print(workload.name) }
            return true
        case .compare, .check: return try await compare(options)
        }
    }

    private static func compare(_ options: Options) async throws -> Bool {
        let report = Report(options: options)
        report.begin()
        var meetsBar = true
        for workload in try Workload.selected(options) {
            var result = try await Comparison(
                workload: workload, backend: options.backend, scale: options.scale ?? 1,
                rounds: options.action == .check ? 0 : options.rounds, isProfiled: options.isProfiled
            ).run()
            result.peer = try options.peer?.seconds(for: workload, options)
            report.add(result)
            meetsBar = meetsBar && (options.action == .check || result.isMet != false)
        }
        return meetsBar
    }
}
