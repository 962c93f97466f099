import Foundation

/// Another process of this program that plays on the same store.
final class Guest {
    private let process = Process()
    private let output = Pipe()

    /// Starts the process.
    init(_ settings: Settings, seconds: Int) throws {
        process.executableURL = Bundle.main.executableURL
        process.arguments =
            [
                settings.addresses[settings.selectedIndex], "--guest", "--seconds", "\(seconds)", "--threads",
                "\(settings.threads)",
            ]
            + (settings.isConcurrent ? ["--concurrent"] : [])
            + (settings.discipline == .exclusive ? ["--exclusive"] : [])
        process.standardOutput = output
        try process.run()
    }

    /// The line in a guest's output with the number of rounds that it has played.
    static func roundsLine(_ rounds: Int) -> String { roundsPrefix + "\(rounds)" }
    private static let roundsPrefix = "  rounds      "

    /// Waits for the process, and returns its number of rounds and the problem that it reported.
    func outcome() async -> (rounds: Int, complaint: String?) {
        let text = await Task.detached { [output, process] in
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }.value
        let lines = text.split(separator: "\n")
        let rounds = lines.first { $0.hasPrefix(Self.roundsPrefix) }?.dropFirst(Self.roundsPrefix.count)
        guard let rounds = rounds.flatMap({ Int($0) }) else { return (0, "cut off: \(text)") }
        let verdict = lines.last { $0.hasPrefix("verdict: ") }?.dropFirst("verdict: ".count)
        return (rounds, verdict == "green" ? nil : verdict.map(String.init) ?? "cut off")
    }
}
