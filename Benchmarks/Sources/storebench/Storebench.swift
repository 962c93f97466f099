import Foundation

/// Measures the object graph beside C.
///
/// See `Options.usage`.
@main
enum Storebench {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            exit(try await run(options) ? 0 : 2)
        } catch let misuse as Options.Misuse {
            FileHandle.standardError.write(Data("storebench: \(misuse)\n".utf8))
            exit(64)
        } catch {
            FileHandle.standardError.write(Data("storebench: \(error)\n".utf8))
            exit(70)
        }
    }

    /// Runs the workloads; tells whether every bar was held.
    private static func run(_ options: Options) async throws -> Bool {
        if options.isScaling { return try await Scaling(options: options).run() }
        let workloads = Workload.all.filter { workload in
            options.only.map { workload.name == $0 } ?? (workload.bars[options.backend] != nil)
        }
        guard !workloads.isEmpty else {
            let names = Workload.all.map(\.name).joined(separator: ", ")
            throw Options.Misuse(description: "there is no such workload; there are \(names).")
        }
        let report = Report(options: options)
        report.begin()
        var holds = true
        for workload in workloads {
            let result = try await Comparison(workload: workload, options: options).run()
            report.add(result)
            holds = holds && (options.isCheck || result.isHeld != false)
        }
        return holds
    }
}
