import Foundation

/// Searches the folders of the variable `PATH` for programs.
struct ProgramSearch {
    private let folders: [Substring]

    init(_ variables: [String: String]) {
        folders = (variables["PATH"] ?? "").split(separator: ":")
    }

    /// Whether there is an executable file with the name.
    func finds(_ name: String) -> Bool {
        folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
}
