import Foundation
import Testing

/// A studio of a ``Club``, or of another store, in a browser that has opened its page.
final class ClubStudio {
    let process: StudioProcess
    let browser: Browser

    convenience init(_ place: StudioPlace, canWrite: Bool = false, players: Int = 125) throws {
        try self.init(
            StudioProcess(
                canWrite ? ["--write"] : [], url: try place.freshURL(), export: Club.export(players: players),
                model: Club.model))
    }

    /// Opens the page of a store with two entities.
    init(_ process: StudioProcess) throws {
        self.process = process
        browser = try Browser()
        try browser.open(process.address)
        try browser.wait("all('#sidebar .entity-link').length === 2 && isSettled()")
    }

    /// Changes the store by another process: `changes` are those of the command `change`.
    ///
    /// - Parameter program: The name of the other program; nil for storectl.
    func changeElsewhere(_ changes: String, author: String = "elsewhere", program: String? = nil) throws {
        try write(#"{"changes":[\#(changes)]}"#, to: "changes.json")
        let words = ["change", "changes.json", "--author", author]
        guard let program else {
            try process.run(words)
            return
        }
        let other = try process.start(words, as: program)
        other.waitUntilExit()
        try #require(other.terminationStatus == 0)
    }

    /// Writes a file into the folder of the studio.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: process.folder + "/" + name))
    }

    /// Returns a stored value, as `get` prints it.
    func stored(_ property: String, of object: String) throws -> String {
        let document = try JSONDecoder().decode(
            ObjectDocument.self, from: Data(try process.run(["get", object, "--json"]).utf8))
        return try #require(document.properties[property]).text
    }

    /// Returns the stored number of objects.
    func storedCount(_ entity: String) throws -> Int {
        try JSONDecoder().decode(
            CountDocument.self, from: Data(try process.run(["count", entity, "--json"]).utf8)
        ).count
    }

    private struct CountDocument: Decodable {
        let count: Int
    }

    private struct ObjectDocument: Decodable {
        let properties: [String: StoredValue]
    }

    /// A text, a number, or another value, as text.
    private struct StoredValue: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else if let number = try? container.decode(Int64.self) {
                text = String(number)
            } else {
                text = container.decodeNil() ? "null" : "other"
            }
        }
    }

    /// Expects that the page has logged no error and violated no policy.
    func expectNoProblems(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let problems = try browser.problems()
        #expect(problems.isEmpty, "\(problems)", sourceLocation: sourceLocation)
    }
}
