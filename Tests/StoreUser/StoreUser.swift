import Foundation

/// Another process that uses a store, for tests that run and kill it.
///
/// It prints a line after each action, so that the test knows what was acknowledged.
@main
enum StoreUser {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else { exit(64) }
        let work = Work(
            url: arguments[2], name: arguments[3], count: Int(arguments.dropFirst(4).first ?? "") ?? .max)
        switch arguments[1] {
        case "graphs": try await work.saveGraphs()
        case "saves": try await work.saveMany()
        case "read": try await work.read()
        case "play": try await work.play()
        case "write-at-once": try await work.writeAtOnce()
        case "jobs": try await work.takeJobs()
        case "hold": try await work.hold()
        case "cycles": try await work.openAndClose()
        case "no-files": try await work.runOutOfFiles()
        case "no-room": try await work.outgrowTheLimit()
        default: exit(64)
        }
    }
}
