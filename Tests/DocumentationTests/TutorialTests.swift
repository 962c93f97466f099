import Foundation
import Testing

struct TutorialTests {
    @Test func `Every command of the tutorial prints what its page shows`() async throws {
        try await DocumentationPackage.build.value
        let steps = try await DocumentationPackage.tutorial.value
        #expect(Set(steps.map(\.page)).count == 8)
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: temporary) }
        let folder = temporary.appendingPathComponent("Chess")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = Self.server()
        for (index, step) in steps.enumerated() {
            let programs = try DocumentationPackage.linkPrograms(of: index + 1, step, in: temporary)
            for (path, text) in step.files where !path.contains("/") {
                try text.write(to: folder.appendingPathComponent(path), atomically: true, encoding: .utf8)
            }
            for run in step.runs where server != nil || !run.needsServer {
                for _ in 1...(run.isTwice ? 2 : 1) {
                    let printed = try await run.printed(in: folder, programs: programs, server: server)
                    #expect(printed == run.output, "\(run.place)")
                }
            }
        }
        if let server {
            let removal = Tutorial.Run(
                place: "", commands: "swift run ChessTool db drop -s prod --confirm prod", output: "")
            let programs = temporary.appendingPathComponent("programs-\(steps.count)")
            _ = try await removal.printed(in: folder, programs: programs, server: server)
        }
    }

    /// The address of a new store on the tests' server; nil if there is no server.
    private static func server() -> String? {
        guard let url = ProcessInfo.processInfo.environment["STORE_TEST_POSTGRES_URL"] else { return nil }
        let name = UUID().uuidString.lowercased().filter { $0 != "-" }
        return "\(url)\(url.contains("?") ? "&" : "?")schema=tutorial_\(name)"
    }

    @Test func `The example in the repository is the program at the end of the tutorial`() async throws {
        let steps = try await DocumentationPackage.tutorial.value
        let sources = steps.last?.files.filter { $0.key.hasPrefix("Sources/") }
        #expect(try DocumentationPackage.finishedExample() == sources)
    }

    @Test func `The manifests of the tutorial have every target and imported product`() async throws {
        var last = ""
        for (index, step) in try await DocumentationPackage.tutorial.value.enumerated() {
            let manifest = try #require(step.files["Package.swift"])
            if manifest == last { continue }
            last = manifest
            let dump = try await DocumentedManifest.Dump(of: manifest, at: step.page)
            let targets = step.targets(numbered: index + 1)
            #expect(Set(dump.targets.map(\.name)) == Set(targets.map(\.name)), "\(step.page)")
            let imported = DocumentationPackage.modules.filter { module in
                targets.contains { $0.declaration.contains("\"\(module)\"") }
            }
            #expect(dump.products.isSuperset(of: imported.map { "ContextCore.\($0)" }), "\(step.page)")
        }
    }

    @Test func `Fences change files in the order of the pages`() async throws {
        let first = """
            <!-- file: a.txt -->
            ```text
            one
              two
            ```
            <!-- file: a.txt, above: two -->
            ```text
            new
            ```
            """
        let second = """
            <!-- file: a.txt, instead of: one -->

            ```text
            1
            ```
            <!-- file: a.txt, at the end -->
            ```text
            three
            ```
            <!-- edit -->
            ```sh
            sed -i 's/new/old/' *.txt
            ```
            <!-- run: twice -->
            ```sh
            echo a
            ```
            ```text
            a
            ```
            """
        let steps = try await Tutorial.steps(of: [("1", first), ("2", second)])
        #expect(steps.map(\.files) == [["a.txt": "one\nnew\n  two\n"], ["a.txt": "1\nold\n  two\nthree\n"]])
        #expect(
            steps[1].runs == [
                Tutorial.Run(place: "2:16", commands: "echo a", output: "a", isTwice: true)
            ])
    }

    @Test func `Commands run with the files as they are at that place of the page`() async throws {
        let page = """
            <!-- file: a.txt -->
            ```text
            one
            ```
            <!-- run: without its output -->
            ```sh
            echo a
            ```
            <!-- file: a.txt, at the end -->
            ```text
            two
            ```
            <!-- run: without its output -->
            ```sh
            echo b
            ```
            """
        let steps = try await Tutorial.steps(of: [("1", page)])
        #expect(steps.map(\.files) == [["a.txt": "one\n"], ["a.txt": "one\ntwo\n"]])
        #expect(steps.map { $0.runs.map(\.commands) } == [["echo a"], ["echo b"]])
    }

    @Test(arguments: [
        "<!-- file: b.txt, at the end -->\n```\n```", "<!-- file: a.txt, above: three -->\n```\n```",
        "<!-- run -->\n```sh\n```", "<!-- runs -->\n```sh\n```",
    ])
    func `A fence that can't be used is an error`(_ text: String) async {
        await #expect(throws: DocumentationError.self) {
            _ = try await Tutorial.steps(of: [("1", "<!-- file: a.txt -->\n```\none\n```\n" + text)])
        }
    }

    @Test func `Long lines are wrapped at spaces`() {
        #expect(Tutorial.Run.wrapped("one two  three", width: 8) == ["one two", "three"])
        #expect(Tutorial.Run.wrapped("onetwothree four", width: 8) == ["onetwothree four"])
        #expect(Tutorial.Run.wrapped("one ", width: 8) == ["one"])
    }
}
