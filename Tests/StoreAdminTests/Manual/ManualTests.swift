import Foundation
import Testing

@testable import StoreAdmin

/// The manual pages, and what the programs that format them say.
struct ManualTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private var pages: [Manual.Page] {
        Manual(tree: .all, name: "storectl", source: "storectl 0.1.0", date: "2026-08-01").pages
    }

    @Test func `There is a page for the tool, and one for each command`() {
        let names =
            ["storectl"]
            + CommandTree.all.commands.map { (["storectl"] + $0.declaration.words).joined(separator: "-") }
        #expect(pages.map(\.name) == names)
        #expect(Set(names).count == names.count)
    }

    @Test func `The page of a command has its usage, options, examples and exit codes`() throws {
        for command in CommandTree.all.commands.map(\.declaration) {
            let page = try #require(
                pages.first { $0.name == (["storectl"] + command.words).joined(separator: "-") })
            let sections = page.text.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map {
                String($0.dropFirst(4))
            }
            let options = command.ownOptions.isEmpty ? [] : ["OPTIONS"]
            #expect(
                sections == ["NAME", "SYNOPSIS", "DESCRIPTION"] + options + [
                    "OPTIONS OF EVERY COMMAND", "EXAMPLES", "EXIT STATUS", "SEE ALSO",
                ], "\(page.name)")
            for option in command.allOptions {
                #expect(page.text.contains(RoffText.bold("--" + option.name)), "\(page.name)")
            }
            for example in command.examples {
                #expect(
                    page.text.contains("\n" + RoffText.escaped("storectl " + example.words) + "\n"),
                    "\(page.name)")
            }
            for code in command.allExitCodes {
                #expect(page.text.contains(".TP\n\(RoffText.bold("\(code.rawValue)"))\n"), "\(page.name)")
            }
        }
    }

    @Test func `The page of the tool lists every command by purpose`() {
        let text = pages[0].text
        for command in CommandTree.all.commands.map(\.declaration) {
            let name = RoffText.bold((["storectl"] + command.words).joined(separator: "-"))
            #expect(text.contains(".TP\n\(name)(1)\n"), "\(command.name)")
        }
        for section in CommandTree.all.sections { #expect(text.contains(".SS \"\(section.title)\"\n")) }
    }

    @Test func `Text can't be taken for markup`() {
        #expect(
            RoffText.escaped(#"-a \b 'c' "d" `e` ~/f^"#)
                == #"\-a \eb \(aqc\(aq \(dqd\(dq \(gae\(ga \(ti/f\(ha"#)
        #expect(RoffText.escaped("“…” 日 😀") == #"\[u201C]\[u2026]\[u201D] \[u65E5] \[u1F600]"#)
        var roff = RoffText("a-b", date: "2026-08-01", source: "storectl 0.1.0", manual: "Manual")
        roff.fill(".TH is no request,\n'nor this")
        roff.literal(".exit 1")
        #expect(
            roff.text == """
                .TH A\\-B 1 2026-08-01 "storectl 0.1.0" "Manual"
                \\&.TH is no request, \\(aqnor this
                .PP
                .RS 4
                .nf
                \\&.exit 1
                .fi
                .RE

                """)
        for page in pages {
            #expect(page.text.utf8.allSatisfy { $0 < 0x80 }, "\(page.name)")
            #expect(!page.text.contains("\n'"), "\(page.name)")
        }
    }

    @Test func `The pages are written into a new folder, with the tool's name and a date`() throws {
        bench.toolName = "shop-ctl"
        bench.toolVersion = "2.1"
        bench.variables["SOURCE_DATE_EPOCH"] = "1785542400"
        let outcome = bench.run("man", "share/man/man1")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        let page = try bench.read("share/man/man1/shop-ctl-data-export.1")
        #expect(
            page.hasPrefix(#".TH SHOP\-CTL\-DATA\-EXPORT 1 2026-08-01 "shop\-ctl 2.1" "shop\-ctl Manual""#))
        #expect(!page.contains("storectl"))
        #expect(bench.run("man", "share/man/man1").exit == .success)
        try bench.write("", to: "file")
        #expect(bench.run("man", "file/man1").exit == .cannotCreate)
        #expect(!bench.run("help").output.contains("\n  man "))
    }

    /// Runs a program with all pages, and returns what it prints.
    private func output(of program: String, _ options: [String]) throws -> String {
        #expect(bench.run("man", "man1").exit == .success)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = options + pages.map(\.fileName)
        process.currentDirectoryURL = URL(fileURLWithPath: bench.folder + "/man1")
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: program)
    }

    @Test(.enabled(if: ManualTests.isInstalled("/usr/bin/groff"), "groff is not installed"))
    func `Groff formats every page without a warning`() throws {
        #expect(try output(of: "/usr/bin/groff", ["-ww", "-z", "-man", "-Tutf8"]) == "")
    }

    @Test(.enabled(if: ManualTests.isInstalled("/usr/bin/mandoc"), "mandoc is not installed"))
    func `Mandoc finds nothing to warn about`() throws {
        #expect(try output(of: "/usr/bin/mandoc", ["-Tlint", "-Wwarning"]) == "")
    }
}
