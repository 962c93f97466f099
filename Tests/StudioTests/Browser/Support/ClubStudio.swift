import Foundation
import Testing

/// A studio of a ``Club`` in a browser that has opened its page.
final class ClubStudio {
    let process: StudioProcess
    let browser: Browser

    init(_ place: StudioPlace, canWrite: Bool = false, players: Int = 125) throws {
        process = try StudioProcess(
            canWrite ? ["--write"] : [], url: try place.freshURL(), export: Club.export(players: players),
            model: Club.model)
        browser = try Browser()
        try browser.open(process.address)
        try browser.wait("all('#sidebar .entity-link').length === 2 && isSettled()")
    }

    /// Changes the store by another process: `changes` are those of the command `change`.
    func changeElsewhere(_ changes: String, author: String = "elsewhere") throws {
        try Data(#"{"changes":[\#(changes)]}"#.utf8)
            .write(to: URL(filePath: process.folder + "/changes.json"))
        try process.run(["change", "changes.json", "--author", author])
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
