import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// The HTML report on a store.
struct ReportTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Makes a report, and removes its file.
    private func page(_ words: String...) throws -> HTMLPage {
        let outcome = bench.run(["report", "--out", "report.html"] + words)
        try #require(outcome.exit == .success, "\(outcome.problems)")
        let text = try bench.read("report.html")
        try FileManager.default.removeItem(atPath: bench.folder + "/report.html")
        return HTMLPage(text)
    }

    private func run(_ words: String...) throws {
        let outcome = bench.run(words)
        try #require(outcome.exit == .success, "\(words): \(outcome.problems)")
    }

    @Test(arguments: TestPlace.available)
    func `A report has every section, and needs nothing else`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let page = try page()
        page.expectSelfContained()
        page.expectAccessible()
        for name in ["summary", "contents", "model", "sizes", "check", "advice", "drift", "migrations"] {
            #expect(page.text.contains("<section id=\"\(name)\""), "\(name)")
        }
        #expect(!page.text.contains("class=\"failed"), "\(page.text)")
        for text in [
            "Nothing needs attention.", "10 objects", "<svg class=\"diagram\"", ">favourites</text>",
            "<th scope=\"row\">Player</th><td class=\"number\">3</td>", "length 1…40", "no problems found",
            "the tables match the model", "Settings of the database",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
    }

    @Test func `Its policy allows the style sheet alone`() throws {
        _ = try bench.makeShop()
        let text = try page().text
        let style = try #require(text.firstMatch(of: #/<style>([^<]*)<\/style>/#)?.output.1)
        let digest = Data(SHA256.digest(of: Array(style.utf8))).base64EncodedString()
        #expect(
            text.contains(
                "content=\"default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'\""
            ))
        #expect(text.matches(of: #/<style/#).count == 1)
    }

    @Test(arguments: TestPlace.available)
    func `Two reports differ in their time only`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        let times = #/<time>[0-9T:.Z-]+<\/time>/#
        let (first, second) = (try page().text, try page().text)
        #expect(first.contains(times))
        #expect(first.replacing(times, with: "") == second.replacing(times, with: ""))
    }

    @Test(arguments: TestPlace.available)
    func `Findings are counted at the top, and shown in their sections`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        try run("sql", "--write", "UPDATE game SET title = '' WHERE _id = 1")
        try run("sql", "--write", "ALTER TABLE sample ADD COLUMN mine integer")
        let text = try page().text
        #expect(text.contains("2 findings need attention."))
        #expect(text.contains("<a href=\"#check\">Check</a> <span class=\"attention\">1 finding</span>"))
        #expect(text.contains("<a href=\"#drift\">Drift</a> <span class=\"attention\">1 difference</span>"))
        #expect(text.contains("<td>Game:1</td><td>title</td>"))
        let quick = try page("--quick").text
        #expect(quick.contains("1 finding needs attention.") && quick.contains("weren't checked"))
        let json = try bench.json("report", "--out", "a.html")
        #expect(json["findings"] == .int(2))
        #expect(try json["bytes"] == .int(bench.read("a.html").utf8.count))
        #expect(json["rows"]?.elements?.map { $0["findings"].intValue } == [0, 0, 0, 1, 0, 1, 0])
    }

    @Test(arguments: TestPlace.available)
    func `Pending and unfinished migrations are shown`(place: TestPlace) throws {
        try bench.makeProject(place)
        let pending = try page("-s", "shop").text
        #expect(pending.contains("<span class=\"attention\">V1-V2 pending</span>"))
        #expect(pending.contains("<dd>storectl migrate plan -s shop</dd>"))
        try run("migrate", "apply")
        let unfinished = try page().text
        #expect(unfinished.contains("<span class=\"attention\">V1-V2 is unfinished</span>"))
        #expect(unfinished.contains("because a migration is unfinished"))
        try run("migrate", "complete")
        #expect(try page().text.contains("<span class=\"fine\">up to date</span>"))
    }

    @Test(arguments: TestPlace.available)
    func `A section that fails shows its error, and the others are made`(place: TestPlace) throws {
        _ = try bench.makeShop(place)
        try run("sql", "--write", "DROP TABLE round")
        let page = try page()
        page.expectSelfContained()
        page.expectAccessible()
        #expect(page.text.contains("<a href=\"#contents\">Contents</a> <span class=\"failed\">failed</span>"))
        #expect(page.text.contains("This section couldn't be made (SC"))
        #expect(page.text.contains("<a href=\"#model\">Model</a> <span class=\"fine\">6 entities</span>"))
        let rows = try bench.json("report", "--out", "a.html")["rows"]?.elements
        #expect(rows?.first?["error"].stringValue != nil)
        #expect(rows?.dropFirst().first?["error"] == .null)
    }

    @Test func `A role from which row security hides objects gets a report without the check`() throws {
        guard TestPlace.server != nil else { return }
        let role = try bench.makeShopWithReader()
        defer { bench.dropReader(role) }
        try run("sql", "--write", "ALTER TABLE round ENABLE ROW LEVEL SECURITY", "-s", "owner")
        try run("sql", "--write", "CREATE POLICY visible ON round USING (_id <> 1)", "-s", "owner")
        let page = try page("-s", "reader")
        page.expectSelfContained()
        #expect(page.text.contains("<a href=\"#check\">Check</a> <span class=\"failed\">failed</span>"))
        #expect(page.text.contains("Row security hides rows") && page.text.contains("\(role) may not write"))
        // The password of the role.
        #expect(!page.text.contains(":reading@"))
    }

    @Test(arguments: TestPlace.available)
    func `Hostile names and values stay texts`(place: TestPlace) throws {
        let attack = "</style><script>alert(1)</script>"
        try bench.write(
            ShopExport.model.replacing(
                #""label":{"type""#, with: #""label":{"default":"\#(attack)","pattern":"<.*>","type""#),
            to: "hostile.json")
        bench.variables["STORECTL_URL"] = place.freshURL()
        try run("db", "create", "--model", "hostile.json")
        try run("sql", "--write", "CREATE TABLE \"<table onclick=alert(2)>\" (a integer)")
        try run("sql", "--write", "CREATE INDEX \"<img src=x onerror=alert(3)>\" ON game (title)")
        bench.toolName = "a&b"
        let page = try page()
        page.expectSelfContained()
        page.expectAccessible()
        for text in [
            "&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;", "pattern &lt;.*&gt;",
            "&lt;table onclick=alert(2)&gt;", "&lt;img src=x onerror=alert(3)&gt;",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
    }

    @Test func `Secrets are removed from texts, and not from tags`() throws {
        _ = try bench.makeShop()
        bench.variables["PGPASSWORD"] = "e"
        let page = try page()
        page.expectSelfContained()
        page.expectAccessible()
        #expect(
            page.text.contains("<section id=\"sizes\"")
                && page.text.contains("S***ttings of th*** databas***"))
        bench.variables["PGPASSWORD"] = "a<b"
        try run("sql", "--write", "CREATE TABLE \"xa<by\" (a integer)")
        let second = try self.page().text
        #expect(second.contains(">x***y<") && !second.contains("a&lt;b"))
    }

    @Test func `A report on a large model is small`() throws {
        let entities = (0..<90).map { index in
            let attributes = (0..<12).map { #""attribute\#($0)":{"optional":true,"type":"string"}"# }
            return """
                "Entity\(index)":{"attributes":{\(attributes.joined(separator: ","))},"relationships":{\
                "next":{"inverse":"previous","optional":true,"to":"Entity\((index + 1) % 90)"},\
                "previous":{"inverse":"next","optional":true,"to":"Entity\((index + 89) % 90)"},\
                "others":{"optional":true,"to":"Entity\((index + 7) % 90)"}}}
                """
        }
        try bench.write("{\"entities\":{\(entities.joined(separator: ","))},\"format\":1}", to: "large.json")
        bench.variables["STORECTL_URL"] = TestPlace.sqlite.freshURL()
        try run("db", "create", "--model", "large.json")
        let page = try page()
        #expect(page.text.utf8.count < 2_000_000, "\(page.text.utf8.count)")
        #expect(page.text.contains("<th scope=\"row\"><a href=\"#entity-89\">"))
    }

    @Test func `A report needs a new file`() throws {
        _ = try bench.makeShop()
        let outcome = bench.run("report")
        #expect(outcome.exit == .usage && outcome.problems.contains("'report' needs --out."))
        try bench.write("kept", to: "a.html")
        #expect(bench.run("report", "--out", "a.html").exit == .cannotCreate)
        #expect(try bench.read("a.html") == "kept")
        try run("backup", "create")
        #expect(try bench.json("report", "--out", "Backups/a.html")["findings"] == .int(0))
        #expect(bench.run("report", "--out", "no/a.html").exit == .cannotCreate)
        #expect(bench.run("report", "--out", "b.html", "-s", "sqlite:none.sqlite").exit == .inputMissing)
        let files = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
        #expect(!files.contains { $0.hasPrefix("b.html") }, "\(files)")
    }
}
