import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// A correct password in every supported place, with all kinds of wrong calls.
struct SecretTests {
    private static let password = "pa:ss@ w/rd"
    private static let encoded = "pa%3Ass%40%20w%2Frd"

    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// The places from which a tool may read the password.
    private static let places: [(name: String, store: String)] = [
        ("in a URL", #""postgres://app:\#(encoded)@127.0.0.1:1/shop""#),
        ("in a URL with a mistake", #""postgres://app:\#(encoded)@127.0.0.1:99999/shop""#),
        ("in a file", #"{"url": "postgres://app@127.0.0.1:1/shop", "password": {"file": "secret"}}"#),
        ("in a variable", #"{"url": "postgres://app@127.0.0.1:1/shop", "password": {"env": "SECRET"}}"#),
        (
            "from a command",
            #"{"url": "postgres://app@127.0.0.1:1/shop", "password": {"command": ["cat", "secret"]}}"#
        ),
        (
            "in a password file",
            #"{"url": "postgres://app@127.0.0.1:1/shop", "password": {"passfile": ".pgpass"}}"#
        ),
        (
            "written into the configuration",
            #"{"url": "postgres://app@127.0.0.1:1/shop", "password": "\#(password)"}"#
        ),
        ("in the URL of a variable", #"{"url": {"env": "SECRET_URL"}}"#),
        ("twice", #"{"url": "postgres://app:\#(encoded)@127.0.0.1:1/shop", "password": {"env": "SECRET"}}"#),
        ("in a setting", #""postgres://app@127.0.0.1:1/shop?sslpassword=\#(encoded)""#),
        (
            "among the options",
            #"{"url": "postgres://app@127.0.0.1:1/shop", "options": {"sslpassword": "\#(password)"}}"#
        ),
        ("in an unknown setting", #"{"url": "postgres://app@127.0.0.1:1/shop?password=\#(encoded)"}"#),
    ]

    @Test(arguments: places.map(\.name))
    func `A password is never printed`(name: String) throws {
        let store = try #require(Self.places.first { $0.name == name }?.store)
        try bench.write(Self.password + "\n", to: "secret")
        let file = try bench.write("*:*:*:*:" + Self.password.replacing(":", with: "\\:"), to: ".pgpass")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        bench.variables["SECRET"] = Self.password
        bench.variables["SECRET_URL"] = "postgres://app:\(Self.encoded)@127.0.0.1:1/shop"
        bench.variables["PGPASSWORD"] = Self.password
        try bench.write(#"{"stores": {"a": \#(store)}}"#, to: "storectl.json")
        for words in [
            ["status"], ["status", "-v"], ["status", "--json", "-v"], ["doctor"], ["doctor", "--json"],
            ["check"],
            ["config", "show", "--origin"], ["config", "show", "--json"], ["config", "check"],
            ["query", "X"],
            ["data", "copy", "a", "sqlite:b"], ["sql", "SELECT 1"], ["inspect", "sizes"],
            ["status", "-s", "aa"],
        ] {
            let outcome = bench.run(words)
            for secret in [Self.password, Self.encoded, "w/rd", "w%2Frd"] {
                #expect(!outcome.output.contains(secret), "\(words): \(outcome.output)")
                #expect(!outcome.problems.contains(secret), "\(words): \(outcome.problems)")
            }
        }
    }

    @Test(arguments: [["status", "-s"], ["data", "verify", "sqlite:a"], ["data", "copy", "sqlite:a"]])
    func `A password is rejected on the command line`(words: [String]) {
        let outcome = bench.run(words + ["postgres://app:\(Self.encoded)@127.0.0.1:1/shop"])
        #expect(outcome.exit == .configuration || outcome.exit == .inputMissing)
        #expect(!outcome.problems.contains(Self.encoded))
        if words[0] == "status" { #expect(outcome.problems.contains("command line contains a password")) }
    }

    @Test(arguments: [
        ["status", "URL"], ["URL", "status"], ["URL"], ["help", "URL"], ["data", "URL"],
        ["--stroe", "URL", "status"],
        ["status", "--stroe=URL"], ["status", "-zsURL"], ["status", "--json=URL"], ["status", "-o", "URL"],
        ["count", "Game", "URL"], ["-s", "prod", "--", "URL"],
    ])
    func `A password is in no message about invalid arguments`(words: [String]) {
        for (url, secret) in [
            ("postgres://app:hunter2@h/db", "hunter2"),
            ("postgres://app:\(Self.encoded)@h/db", Self.encoded),
            // An unnecessarily encoded password.
            ("postgres://app:%68unter2@h/db", "unter2"),
            // Invalid URLs.
            ("postgres://app:hunter2@h:99999/db", "hunter2"), ("postgres://app:hun/ter2@h/db", "ter2"),
            ("postgres://app@h/db?sslpassword=hunter2", "hunter2"),
            ("host=h user=app password=hunter2", "hunter2"), ("host=h password='hun ter2", "ter2"),
        ] {
            for json in [[], ["--json"]] {
                let outcome = bench.run(words.map { $0.replacing("URL", with: url) } + json)
                #expect(outcome.exit == .usage, "\(words): \(outcome.problems)")
                #expect(
                    !(outcome.output + outcome.problems).contains(secret), "\(words): \(outcome.problems)")
            }
        }
    }

    @Test(arguments: [
        ["status", "-s", "postgres://app@127.0.0.1:1/shop?sslpassword=\(encoded)"],
        ["status", "-s", "host=127.0.0.1 port=1 user=app dbname=shop sslpassword='\(password)'"],
        ["data", "copy", "sqlite:a", "postgres://app@127.0.0.1:1/shop?sslpassword=\(encoded)"],
    ])
    func `A password in a setting is rejected there too`(words: [String]) throws {
        _ = try bench.makeShop()
        try bench.write("", to: "a")
        let outcome = bench.run(words)
        #expect(outcome.exit == .configuration, "\(outcome.problems)")
        #expect(outcome.problems.contains("on the command line contains a password"))
        #expect(!outcome.problems.contains(Self.encoded) && !outcome.problems.contains(Self.password))
    }

    @Test(arguments: [
        #"{"url": "postgres://app@db/shop?sslpassword=x-y-z"}"#,
        #"{"url": "postgres://app@db/shop", "options": {"sslpassword": "x-y-z"}}"#,
    ])
    func `A password in the settings is found, and removed from all output`(store: String) throws {
        let path = try bench.write(#"{"stores": {"a": \#(store)}}"#, to: "storectl.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let check = bench.run("config", "check")
        #expect(check.exit == .differences)
        #expect(check.output.contains("has a password in the setting sslpassword."), "\(check.output)")
        #expect(check.output.contains("Run chmod 600 on it."))
        let tool = bench.tool
        _ = try tool.store("a", config: nil)
        #expect(tool.environment.secrets.redacted("it said x-y-z") == "it said ***")
    }

    @Test(.enabled(if: TestPlace.server != nil))
    func `A server that rejects the user is a permission error`() throws {
        let server = try StoreURL(try #require(TestPlace.server))
        let host = try #require(server.hosts.first)
        bench.variables["STORECTL_URL"] =
            "postgres://\(server.user ?? ""):\(Self.encoded)@\(host)\(server.path)"
        for words in [["status"], ["db", "ping"], ["migrate", "history"]] {
            let outcome = bench.run(words)
            #expect(outcome.exit == .permission, "\(words): \(outcome.problems)")
            #expect(outcome.exit.rawValue == 77)
            #expect(outcome.problems.contains("The database server rejected the login."))
        }
    }

    @Test func `An unreachable server is unavailable`() {
        let outcome = bench.run("status", "-s", "postgres://app@127.0.0.1:1/shop")
        #expect(outcome.exit == .unavailable)
        #expect(outcome.exit.rawValue == 69)
    }

    @Test func `A short password removes only itself from a document`() throws {
        try bench.write(#"{"stores": {"a": {"url": "sqlite:a.sqlite"}}}"#, to: "storectl.json")
        bench.variables["PGPASSWORD"] = "s"
        bench.variables["STORECTL_STORE"] = "a"
        try bench.write(ShopExport.text, to: "shop.jsonl")
        #expect(bench.run("data", "import", "shop.jsonl").exit == .success)
        let json = try bench.json("inspect", "settings")
        #expect(json["schema"] == .string("storectl.inspect.settings/1"))
        #expect(json["rows"]?.text.contains(#""setting":"ver***ion""#) == true)
        let error = bench.run("get", "Player:99", "--json").problems
        #expect(error.contains(#""message":"#) && error.contains(#""schema":"storectl.error/1""#))
    }
}
