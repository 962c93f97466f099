import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// A password that is known, in every place that it may come from, and everything run wrongly.
struct SecretTests {
    private static let password = "pa:ss@ w/rd"
    private static let encoded = "pa%3Ass%40%20w%2Frd"

    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    /// Ways in which a tool may come by the password.
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
        ("in an unknown setting", #"{"url": "postgres://app@127.0.0.1:1/shop?password=\#(encoded)"}"#),
    ]

    @Test(arguments: places.map(\.name))
    func `A password appears nowhere`(name: String) throws {
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
    func `A password may not stand on the command line`(words: [String]) {
        let outcome = bench.run(words + ["postgres://app:\(Self.encoded)@127.0.0.1:1/shop"])
        #expect(outcome.exit == .configuration || outcome.exit == .inputMissing)
        #expect(!outcome.problems.contains(Self.encoded))
        if words[0] == "status" { #expect(outcome.problems.contains("may not stand on the command line")) }
    }

    @Test func `A server that can't be reached is unavailable`() {
        let outcome = bench.run("status", "-s", "postgres://app@127.0.0.1:1/shop")
        #expect(outcome.exit == .unavailable)
        #expect(outcome.exit.rawValue == 69)
    }

    @Test func `A short password takes nothing out of a document but itself`() throws {
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
