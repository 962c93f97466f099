import ContextCore
import Foundation

/// Plays games on a store, in a terminal or without one: see ``Arguments/usage``.
@main
struct Games {
    static func main() async throws {
        let arguments: Arguments
        do {
            arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
        } catch let error as Arguments.UsageError {
            print("Games: \(error.sentence)\n\n\(Arguments.usage)")
            exit(64)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "games-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = "sqlite:\(folder.path)/games.sqlite"
        let addresses = (arguments.address.map { [$0] } ?? []) + [file, "memory:"]
        let settings = Settings(
            addresses: addresses, discipline: arguments.isExclusive ? .exclusive : .snapshot,
            threads: arguments.threads, isConcurrent: arguments.isConcurrent)
        let isCorrect: Bool
        if !arguments.isReport, let terminal = Terminal() {
            let complaints = await App(settings, terminal).run()
            // Printed after the alternate screen is closed, so the output stays visible.
            for complaint in complaints { print("Games: \(complaint)") }
            isCorrect = complaints.isEmpty
        } else {
            isCorrect = await report(settings, arguments)
        }
        try? FileManager.default.removeItem(at: folder)
        exit(isCorrect ? 0 : 1)
    }

    /// Plays without a terminal; prints an error that ends it early, such as a store that can't be opened.
    private static func report(_ settings: Settings, _ arguments: Arguments) async -> Bool {
        do {
            return try await Report(
                settings: settings, seconds: arguments.seconds, guestCount: arguments.processes - 1,
                isGuest: arguments.isGuest
            ).run()
        } catch {
            print("Games: \(error)")
            return false
        }
    }
}
