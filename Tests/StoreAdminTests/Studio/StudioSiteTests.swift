import ContextCore
import Foundation
import LoopbackServer
import Testing

@testable import StoreAdmin

/// The answers of the site to requests, without a server.
struct StudioSiteTests {
    // MARK: The page

    @Test func `The printed address sets the cookie and opens the page`() throws {
        let studio = try StudioBench()
        let host = ["Host": "localhost:8080"]
        let opened = try studio.sendOutside("GET", "/?token=\(studio.access.token.text)", headers: host)
        #expect(opened.status == 303)
        #expect(opened.header("Location") == "/\(studio.access.path.text)/")
        let cookie = try #require(opened.header("Set-Cookie"))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/\(studio.access.path.text)/"))
        let own = String(cookie.prefix { $0 != ";" })
        let page = try studio.send("GET", "/", headers: host.merging(["Cookie": own]) { $1 })
        #expect(page.status == 200)
        #expect(page.text == StudioBench.page)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
    }

    @Test func `A wrong token sets no cookie`() throws {
        let studio = try StudioBench()
        for token in ["", "0", String(studio.access.token.text.dropLast()), studio.access.changeToken.text] {
            let opened = try studio.sendOutside(
                "GET", "/?token=\(token)", headers: ["Host": "localhost:8080"])
            #expect(opened.status == 403)
            #expect(opened.header("Set-Cookie") == nil)
        }
        // The address of another page's link, or of an image on it.
        let elsewhere = ["Host": "localhost:8080", "Sec-Fetch-Site": "cross-site"]
        let opened = try studio.sendOutside("GET", "/?token=\(studio.access.token.text)", headers: elsewhere)
        #expect(opened.status == 403)
        #expect(opened.header("Set-Cookie") == nil)
    }

    @Test(arguments: [
        "/", "/grid.js", "/api/studio", "/api/query?request=Game", "/api/export?request=Game", "/none",
    ])
    func `Nothing is served without the cookie`(target: String) throws {
        let studio = try StudioBench()
        for headers in [
            ["Host": "127.0.0.1:8080"], studio.pageHeaders.merging(["Host": "evil.com:8080"]) { $1 },
        ] {
            let refused = try studio.send("GET", target, headers: headers)
            #expect(refused.status == 403)
            #expect(!refused.text.contains("Go") && !refused.text.contains(StudioBench.page))
        }
        // Another server of this machine may know the cookie, but not the path.
        let elsewhere = try studio.sendOutside("GET", target, headers: studio.pageHeaders)
        #expect(elsewhere.status == 403)
        #expect(!elsewhere.text.contains("Go") && !elsewhere.text.contains(StudioBench.page))
    }

    /// The whole policy: the last three directives have no default, so that a page without them may be framed, send forms anywhere, and
    /// change the base of its addresses.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

    @Test(arguments: [
        "/", "/grid.js", "/api/status", "/api/none", "/api/query?request=None", "/api/query?request=%00",
        "/none",
    ])
    func `Every response has the headers that protect the page`(target: String) throws {
        let studio = try StudioBench()
        for headers in [studio.pageHeaders, ["Host": "evil.com"]] {
            let outcome = try studio.send("GET", target, headers: headers)
            #expect(outcome.header("X-Content-Type-Options") == "nosniff")
            #expect(outcome.header("Cache-Control") == "no-store")
            #expect(outcome.header("Referrer-Policy") == "no-referrer")
            #expect(outcome.header("Cross-Origin-Resource-Policy") == "same-origin")
            #expect(outcome.header("Cross-Origin-Opener-Policy") == "same-origin")
            // No page may show the response in a frame.
            #expect(outcome.header("X-Frame-Options") == "DENY")
            #expect(outcome.header("Content-Security-Policy") == Self.policy)
            #expect(outcome.header("Access-Control-Allow-Origin") == nil)
            if target.hasPrefix("/api/") {
                #expect(outcome.header("Content-Type") == "application/json; charset=utf-8")
            }
        }
    }

    // MARK: Documents

    @Test func `The page learns what it is about`() throws {
        let studio = try StudioBench()
        let document = try studio.get("/api/studio").json
        #expect(document["canWrite"] == .bool(false))
        #expect(document["token"] == .null)
        #expect(document["store"]["backend"] == .string("SQLite"))
        #expect(document["version"] == .string(StoreAdmin.packageVersion))
        let writing = try StudioBench(canWrite: true)
        #expect(try writing.get("/api/studio").json["token"] == .string(writing.access.changeToken.text))
    }

    @Test(arguments: TestPlace.available)
    func `A path runs its command, and answers with the same document`(place: TestPlace) throws {
        let studio = try StudioBench(place)
        for (path, items, words) in [
            ("/api/inspect/counts", [], ["inspect", "counts"]),
            ("/api/inspect/entity", [("entity", "Game")], ["inspect", "entity", "Game"]),
            ("/api/get", [("object", "Game:1")], ["get", "Game:1"]),
            (
                "/api/count", [("request", "Player"), ("where", "score > 0")],
                ["count", "Player where score > 0"]
            ),
            (
                "/api/query", [("request", "Player"), ("order", "score DESC"), ("limit", "2")],
                ["query", "Player order by score desc limit 2"]
            ),
            ("/api/history/list", [("limit", "1")], ["history", "list", "-n", "1"]),
            ("/api/history/list", [("process", "none")], ["history", "list", "--process", "none"]),
            ("/api/model/show", [], ["model", "show"]),
            ("/api/check", [("only", "orphans")], ["check", "--only", "orphans"]),
        ] as [(String, [(String, String)], [String])] {
            let outcome = try studio.send("GET", StudioBench.target(path, items), headers: studio.pageHeaders)
            #expect(outcome.status == 200, "\(outcome.text)")
            #expect(outcome.text == studio.bench.run(words + ["--json"]).output)
            #expect(outcome.text.count > 20)
        }
    }

    @Test(arguments: TestPlace.available)
    func `Every query runs, and none changes the store`(place: TestPlace) throws {
        let studio = try StudioBench(place)
        let operands = [
            "entity": "Game", "request": "Game", "object": "Game:1", "save": "1", "version": "1",
            "relationship": "players",
        ]
        let before = studio.bench.run("data", "checksum")
        try #require(before.exit == .success)
        let history = studio.bench.run("history", "list", "-n", "100").output
        for query in StudioQueries.all where CommandTree.all.command(query.words) != nil {
            let items = query.operands.compactMap { name in operands[name].map { (name, $0) } }
            let outcome = try studio.send(
                "GET", StudioBench.target(query.path, items), headers: studio.pageHeaders)
            let known = [200, 400, 404]
            #expect(known.contains(outcome.status), "\(query.path): \(outcome.text)")
            #expect(outcome.json["schema"] != .null, "\(query.path): \(outcome.text)")
        }
        #expect(studio.bench.run("data", "checksum").output == before.output)
        #expect(studio.bench.run("history", "list", "-n", "100").output == history)
    }

    @Test(arguments: TestPlace.available)
    func `The page gets statements without their values, and can't ask for these`(place: TestPlace) throws {
        let studio = try StudioBench(place)
        let writer = try RawStore(
            try #require(studio.bench.variables["STORECTL_URL"]), in: studio.bench.folder)
        try writer.execute([
            place == .sqlite ? "BEGIN IMMEDIATE" : "BEGIN", "UPDATE game SET title = 'secret' WHERE _id = 1",
        ])
        let plain = try studio.get("/api/activity")
        let masked = try studio.get("/api/activity", ["statements": "1"])
        let refused = try studio.get("/api/activity", ["values": "1"])
        try writer.execute(["ROLLBACK"])
        #expect(plain.status == 200 && masked.status == 200 && refused.status == 400, "\(refused.text)")
        for outcome in [plain, masked, refused] { #expect(!outcome.text.contains("secret")) }
        #expect(!plain.text.contains("UPDATE game"))
        #expect(masked.text.contains("UPDATE game SET title = ?") == (place == .postgres), "\(masked.text)")
    }

    @Test func `An error is the tool's document, with a status`() throws {
        let studio = try StudioBench()
        for (target, status, code) in [
            ("/api/query?request=Game&where=title%20%3D%3D", 400, "SC1003"),
            ("/api/query?request=Nothing", 400, nil),
            ("/api/query", 400, "SC1001"), ("/api/query?request=Game&odd=1", 400, "SC1001"),
            ("/api/get?object=Game:99", 404, "SC2008"), ("/api/none", 404, nil),
            ("/api/activity/x", 404, nil),
            ("/api/sql?statement=SELECT%201", 404, nil),
            ("/none.js", 404, nil),
        ] as [(String, Int, String?)] {
            let outcome = try studio.send("GET", target, headers: studio.pageHeaders)
            #expect(outcome.status == status, "\(target): \(outcome.text)")
            #expect(outcome.json["schema"] == .string("storectl.error/1"), "\(target)")
            if let code { #expect(outcome.json["code"] == .string(code), "\(target): \(outcome.text)") }
        }
    }

    @Test(arguments: ["999999999999", "99999999999999999999", "10001", "-1", "many", "1e3", "0x10", ""])
    func `A limit that is invalid or too large is an error with a remedy`(limit: String) throws {
        let studio = try StudioBench()
        for (path, items) in [
            ("/api/query", [("request", "Game")]), ("/api/explain", [("request", "Game")]),
            ("/api/advise", [("request", "Game")]), ("/api/get", [("object", "Game:1")]),
            ("/api/related", [("object", "Game:1"), ("relationship", "players")]), ("/api/history/list", []),
            ("/api/check", []),
        ] as [(String, [(String, String)])] {
            let target = StudioBench.target(path, items + [("limit", limit)])
            let outcome = try studio.send("GET", target, headers: studio.pageHeaders)
            #expect(outcome.status == 400, "\(path): \(outcome.text)")
            #expect(outcome.json["message"].stringValue?.contains("“\(limit)”") == true, "\(outcome.text)")
            #expect(outcome.json["hint"].stringValue?.isEmpty == false, "\(path): \(outcome.text)")
        }
        let clause = try studio.get("/api/query", ["request": "Game limit \(limit)"])
        #expect(clause.status == 400, "\(clause.text)")
        #expect(clause.json["hint"].stringValue?.isEmpty == false, "\(clause.text)")
    }

    @Test func `A number that is invalid is an error with a remedy`() throws {
        let studio = try StudioBench()
        for target in [
            "/api/history/list?after=-1", "/api/history/list?after=x",
            "/api/history/list?after=9223372036854775807",
            "/api/history/show?save=0", "/api/history/show?save=9223372036854775808",
            "/api/history/show?save=9223372036854775807", "/api/check?limit=0",
            "/api/get?object=Game:9223372036854775808", "/api/complete?request=Game&position=x",
            "/api/query?request=Game%20limit%205%20offset%20x",
        ] {
            let outcome = try studio.send("GET", target, headers: studio.pageHeaders)
            #expect((400...499).contains(outcome.status), "\(target): \(outcome.text)")
            #expect(outcome.json["hint"].stringValue?.isEmpty == false, "\(target): \(outcome.text)")
        }
        for target in [
            "/api/query?request=Game&limit=10000", "/api/query?request=Game&limit=0",
            "/api/query?request=Game%20limit%205%20offset%20-5",
            "/api/query?request=Game%20limit%205%20offset%209223372036854775807",
            "/api/complete?request=Game&position=-9223372036854775808",
            "/api/complete?request=Game&position=9223372036854775807",
        ] {
            let outcome = try studio.send("GET", target, headers: studio.pageHeaders)
            #expect(outcome.status == 200, "\(target): \(outcome.text)")
        }
    }

    @Test func `Commands that need the project read the folder that the studio was started with`() throws {
        let freeze = { (bench: AdminBench) in
            let outcome = bench.run("model", "freeze", "V1", "--model", "store", "--project", "app")
            try #require(outcome.exit == .success, "\(outcome.problems)")
        }
        let studio = try StudioBench(selection: ["--project", "app"], prepare: freeze)
        let status = try studio.get("/api/migrate/status")
        #expect(status.status == 200, "\(status.text)")
        #expect(status.text == studio.bench.run("migrate", "status", "--project", "app", "--json").output)
        #expect(status.json["version"] == .string("V1"), "\(status.text)")
        // A command without the option runs as before.
        #expect(try studio.get("/api/count", ["request": "Game"]).status == 200)
        let elsewhere = try StudioBench(prepare: freeze).get("/api/migrate/status")
        #expect(elsewhere.json["version"] == .null, "\(elsewhere.text)")
    }

    @Test func `A store that disappears while the studio runs is an error of the request`() throws {
        let studio = try StudioBench()
        for file in try FileManager.default.contentsOfDirectory(atPath: studio.bench.folder)
        where file.contains(".sqlite") {
            try FileManager.default.removeItem(atPath: studio.bench.folder + "/" + file)
        }
        let outcome = try studio.get("/api/query", ["request": "Game"])
        #expect(outcome.status == 404, "\(outcome.text)")
    }

    @Test func `Script in names and values stays text in a JSON document`() throws {
        let script = #"</script><img src=x onerror="alert(1)">"#
        let studio = try StudioBench(prepare: { bench in
            try bench.write("title\n\"\(script.replacing("\"", with: "\"\""))\"\n", to: "rows.csv")
            let outcome = bench.run("data", "import", "rows.csv", "--entity", "Game")
            try #require(outcome.exit == .success, "\(outcome.problems)")
        })
        let outcome = try studio.get("/api/query", ["request": "Game", "where": "title BEGINSWITH '</'"])
        #expect(outcome.json["rows"].elements?.first?["title"] == .string(script), "\(outcome.text)")
        #expect(outcome.header("Content-Type") == "application/json; charset=utf-8")
        #expect(outcome.header("X-Content-Type-Options") == "nosniff")
        let error = try studio.get("/api/query", ["request": script])
        #expect(error.status == 400)
        #expect(error.header("Content-Type") == "application/json; charset=utf-8")
        let path = try studio.send("GET", "/%3Cscript%3Ealert(1)%3C/script%3E", headers: studio.pageHeaders)
        #expect(path.status == 404)
        #expect(path.header("Content-Type") == "application/json; charset=utf-8")
    }

    /// A command that prints a secret, in its report and in its error.
    private struct LeakingCommand: Command {
        let declaration = CommandDeclaration(words: ["status"], abstract: "", examples: [])
        let secret: String
        var fails = false

        func run(_ call: CommandCall) throws -> Report {
            if fails { throw AdminError.refused("the password \(secret) is wrong.", hint: secret) }
            return Report("status", ["text": .string(secret), "list": .array([.string("a\(secret)b")])]) {
                _ in ""
            }
        }
    }

    @Test func `Passwords and the token never reach the page`() throws {
        for fails in [false, true] {
            let studio = try StudioBench(commands: [LeakingCommand(secret: "s3cret-w0rd", fails: fails)])
            #expect(try studio.get("/api/status").text.contains("s3cret-w0rd"), "it is no secret yet")
            studio.site.commands.tool.environment.secrets.register("s3cret-w0rd")
            let text = try studio.get("/api/status").text
            #expect(!text.contains("s3cret-w0rd") && text.contains("***"), "\(text)")
        }
        let studio = try StudioBench()
        let token = studio.access.token.text
        for target in [
            "/api/studio", "/api/query?request=\(token)", "/api/\(token)", "/api/none?token=\(token)",
        ] {
            let outcome = try studio.send("GET", target, headers: studio.pageHeaders)
            #expect(!outcome.text.contains(token), "\(target): \(outcome.text)")
        }
    }

    // MARK: Changes

    @Test(arguments: TestPlace.available)
    func `A change is saved by the object graph, and reported`(place: TestPlace) throws {
        let studio = try StudioBench(place, canWrite: true)
        let outcome = try studio.change(
            #"{"changes": [{"update": "Player:1", "version": 1, "set": {"score": 77}}]}"#)
        #expect(outcome.status == 200, "\(outcome.text)")
        #expect(outcome.json["saved"] == .bool(true))
        #expect(try studio.get("/api/get", ["object": "Player:1"]).json["properties"]["score"] == .int(77))
        let late = try studio.change(
            #"{"changes": [{"update": "Player:1", "version": 1, "set": {"score": 78}}]}"#)
        #expect(late.status == 409, "\(late.text)")
        let invalid = try studio.change(
            #"{"changes": [{"update": "Player:1", "set": {"score": "many"}}]}"#)
        #expect(invalid.status == 422, "\(invalid.text)")
        #expect(try studio.change("{").status == 400)
    }

    @Test func `A change is refused without --write`() throws {
        let outcome = try StudioBench().change("{}")
        #expect(outcome.status == 403)
    }

    @Test(
        arguments: [
            ("X-Studio-Token", nil, 403), ("X-Studio-Token", "", 403), ("X-Studio-Token", "0", 403),
            ("Content-Type", nil, 400),
            ("Content-Type", "text/plain", 400), ("Content-Type", "application/x-www-form-urlencoded", 400),
            ("Content-Type", "multipart/form-data; boundary=application/json", 400), ("Cookie", nil, 403),
            ("Origin", "http://evil.com", 403), ("Origin", "null", 403), ("Sec-Fetch-Site", "same-site", 403),
            ("Host", "evil.com", 403), ("Transfer-Encoding", "chunked", 400),
        ] as [(String, String?, Int)])
    func `A change that another page could send is refused`(header: String, value: String?, status: Int)
        throws
    {
        let studio = try StudioBench(change: { _ in Report("change", ["saved": .bool(true)]) { _ in "" } })
        var headers = studio.changeHeaders
        headers[header] = value
        let outcome = try studio.send("POST", "/api/change", headers: headers, body: "{}")
        #expect(outcome.status == status)
        #expect(outcome.json["saved"] == .null)
    }

    @Test func `Only changes are posted`() throws {
        let studio = try StudioBench(change: { _ in Report("change", ["saved": .bool(true)]) { _ in "" } })
        for target in [
            "/", "/api/query?request=Game", "/api/none", "/api/change/",
            "/?token=\(studio.access.token.text)",
        ] {
            let outcome = try studio.send("POST", target, headers: studio.changeHeaders, body: "{}")
            #expect(outcome.status == 404, "\(target)")
        }
        #expect(try studio.get("/api/change").status == 404)
        #expect(try studio.send("PUT", "/api/change", headers: studio.changeHeaders).status == 405)
    }

    @Test func `What a change can't save has a status of its own`() throws {
        let invalid = AdminError(code: "SC3004", exit: .badData, message: "")
        let conflict = AdminError(code: "SC3005", exit: .failure, message: "")
        let report = { (name: String, value: JSONValue) in Report("change", [name: value]) { _ in "" } }
        for (report, status) in [
            (report("failures", .array([.null])), 422), (report("conflicts", .array([.null])), 409),
            (report("failures", .array([])), 200),
        ] {
            #expect(try StudioBench(change: { _ in report }).change("{}").status == status)
        }
        for (error, status) in [
            (invalid, 422), (conflict, 409), (AdminError.refused(""), 403), (AdminError.usage(""), 400),
            (CocoaError(.coderInvalidValue), 500), (StoreError(.busy, "", remedy: nil), 503),
        ] as [(any Error, Int)] {
            #expect(try StudioBench(change: { _ in throw error }).change("{}").status == status)
        }
    }

    @Test func `A request that is too large or no HTTP is an error of the page`() throws {
        let studio = try StudioBench()
        #expect(try StudioBench.Outcome(studio.site.response(to: .bodyTooLarge)).status == 413)
        #expect(try StudioBench.Outcome(studio.site.response(to: .invalidTarget)).status == 400)
    }

    // MARK: Exports

    @Test(arguments: TestPlace.available)
    func `An export contains the chosen rows in their order`(place: TestPlace) throws {
        let studio = try StudioBench(place)
        let csv = try studio.get(
            "/api/export",
            ["request": "Player", "where": "score != 12", "order": "score DESC", "fields": "name,score"])
        #expect(csv.status == 200, "\(csv.text)")
        #expect(csv.text == "name,score\r\nÉdith ,100\r\nBob,-3\r\n")
        #expect(csv.header("Content-Type") == "text/csv; charset=utf-8")
        #expect(csv.header("Content-Disposition") == "attachment; filename=\"Player.csv\"")
        let lines = try studio.get("/api/export", ["request": "Game", "format": "jsonl", "fields": "title"])
        #expect(lines.text == "{\"title\":\"Go\"}\n{\"title\":\"Chess, \\\"fast\\\"\"}\n")
    }

    @Test func `An export that fails at once is an error, and no file`() throws {
        let studio = try StudioBench()
        for (items, status) in [
            (["request": "None"], 400), (["request": "Game", "where": "x =="], 400),
            (["request": "Game", "format": "xml"], 400),
            (["request": "Game", "out": "/tmp/x"], 400), ([:], 400), (["request": "Game,Player"], 400),
        ] as [([String: String], Int)] {
            let target = StudioBench.target("/api/export", items.map { ($0.key, $0.value) })
            let outcome = try studio.send("GET", target, headers: studio.pageHeaders)
            #expect(outcome.status == status, "\(items) \(outcome.text)")
            #expect(outcome.header("Content-Disposition") == nil)
        }
    }

    @Test func `The name of a file is made of letters and digits`() throws {
        let studio = try StudioBench()
        let outcome = try studio.get("/api/export", ["request": "Game where title == 'a\"b\\r\\n'"])
        #expect(outcome.header("Content-Disposition") == "attachment; filename=\"Gamewheretitleabrn.csv\"")
    }
}
