import Testing

@testable import StoreAdmin

/// When a result appears in a pager, and in which.
struct PagerTests {
    private let size = Pager.Size(rows: 5, columns: 10)

    @Test func `A text that doesn't fit above the prompt needs a pager`() {
        #expect(!Pager.isNeeded(for: "", in: size))
        #expect(!Pager.isNeeded(for: "1\n2\n3\n4\n", in: size))
        #expect(Pager.isNeeded(for: "1\n2\n3\n4\n5\n", in: size))
        #expect(Pager.isNeeded(for: "1\n\n\n\n\n", in: size))
        #expect(!Pager.isNeeded(for: "1\n2\n3\n4\n5\n", in: Pager.Size(rows: 0, columns: 0)))
    }

    @Test func `Lines that are wider than the terminal count several times, and colors don't count`() {
        #expect(!Pager.isNeeded(for: "1234567890\n1234567890\n3\n4\n", in: size))
        #expect(Pager.isNeeded(for: "12345678901\n1234567890\n3\n4\n", in: size))
        let bold = TextStyle(hasColor: true).bold("1234567890")
        #expect(!Pager.isNeeded(for: "\(bold)\n\(bold)\n\(bold)\n\(bold)\n", in: size))
        #expect(Pager.isNeeded(for: "日本語日本語\n2\n3\n4\n", in: size))
    }

    @Test func `Variables choose the pager, and otherwise an installed one`() {
        func command(_ variables: [String: String], _ installed: Set<String> = ["less", "more"]) -> String? {
            Pager(variables, isInstalled: installed.contains)?.command
        }
        let options = "LESS=\"${LESS-FRX}\" "
        #expect(command([:]) == options + "less")
        #expect(command([:], ["more"]) == options + "more")
        #expect(command([:], []) == nil)
        #expect(command(["PAGER": "most -s"]) == options + "most -s")
        #expect(command(["PAGER": "most", "STORECTL_PAGER": "less -S"]) == options + "less -S")
        #expect(command(["PAGER": ""]) == nil)
        #expect(command(["PAGER": "cat"]) == nil)
        #expect(command(["PAGER": "most", "STORECTL_PAGER": " "]) == nil)
    }
}
