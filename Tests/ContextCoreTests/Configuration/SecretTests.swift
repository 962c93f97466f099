import Foundation
import Testing

@testable import ContextCore

struct SecretTests {
    private let folder: ConfigurationFolder
    private let server = StoreBackend(name: "Server", schemes: ["server"], optionKeys: ["passfile"]) {
        _, model, _ in
        InMemoryCoordinator(model: model)
    }

    init() throws { folder = try ConfigurationFolder() }

    private func url(_ source: String, _ environment: ConfigurationEnvironment) throws -> StoreURL {
        try folder.write(
            #"{"stores": {"a": {"url": "server://app@db:5433/shop", "password": \#(source)}}}"#)
        return try StoreConfiguration.load(environment).store("a").url(among: [server], environment)
    }

    private func password(_ source: String, _ variables: [String: String] = [:]) throws -> String? {
        let environment = folder.environment(variables)
        let url = try url(source, environment)
        #expect(environment.secrets.redacted("a \(url.password ?? "") b") == "a *** b")
        return url.password
    }

    private func settings(_ source: String, _ variables: [String: String] = [:]) throws -> [String: String] {
        try url(source, folder.environment(variables)).options
    }

    @Test func `A password comes from a file, a variable or a command`() throws {
        try folder.write("hunter2\n", to: "secret")
        #expect(try password(#"{"file": "secret"}"#) == "hunter2")
        #expect(try password(#"{"env": "DB_PASSWORD"}"#, ["DB_PASSWORD": "hunter3"]) == "hunter3")
        #expect(try password(#"{"command": ["printf", "hunter4\\nmore"]}"#) == "hunter4")
    }

    @Test func `A relative path starts at the configuration's folder`() throws {
        try folder.write("hunter2\n", to: "secret")
        try folder.write(
            #"{"stores": {"a": {"url": "server://app@db:5433/shop", "password": {"file": "secret"}}}}"#)
        var environment = folder.environment()
        let file = environment.directory + "/storectl.json"
        environment.directory = "/"
        let store = try StoreConfiguration.load(environment, file: file).store("a")
        #expect(try store.url(among: [server], environment).password == "hunter2")
    }

    @Test func `No command is run from a file that others can write`() throws {
        let text =
            #"{"stores": {"a": {"url": "server://app@db:5433/shop", "password": {"command": ["printf", "x"]}}}}"#
        try folder.write(text, permissions: 0o666)
        let environment = folder.environment()
        let error = #expect(throws: StoreError.self) {
            try StoreConfiguration.load(environment).store("a").url(among: [server], environment)
        }
        #expect(error?.message.contains("another user can write to") == true)
    }

    @Test func `A line ends only at a line feed`() throws {
        try folder.write("hunter\u{2028}2\r\nmore", to: "secret")
        #expect(try password(#"{"file": "secret"}"#) == "hunter\u{2028}2")
        #expect("a\u{85}b\nc\r\n\u{2029}".newlineSeparatedLines == ["a\u{85}b", "c", "\u{2029}"])
    }

    @Test func `A password file is passed to the backend, which reads it`() throws {
        let usual = try folder.write("*:*:*:*:hunter2", to: folder.home + "/.pgpass")
        let near = try folder.write("*:*:*:*:hunter3", to: "passwords")
        let other = try folder.write("*:*:*:*:hunter4", to: folder.home + "/other")
        #expect(try settings(#"{"passfile": true}"#) == ["passfile": usual])
        #expect(try settings(#"{"passfile": true}"#, ["PGPASSFILE": other]) == ["passfile": other])
        #expect(try settings(#"{"passfile": "passwords"}"#) == ["passfile": near])
    }

    @Test func `A backend without password files rejects them`() throws {
        try folder.write("*:*:*:*:hunter2", to: folder.home + "/.pgpass")
        try folder.write(#"{"stores": {"a": {"url": "memory:", "password": {"passfile": true}}}}"#)
        let environment = folder.environment()
        let error = #expect(throws: StoreError.self) {
            try StoreConfiguration.load(environment).store("a").url(among: [.memory], environment)
        }
        #expect(error?.message.contains("no setting “passfile”") == true)
    }

    @Test func `A password file that others can read is rejected`() throws {
        try folder.write("*:*:*:*:hunter2", to: folder.home + "/.pgpass", permissions: 0o644)
        let error = #expect(throws: StoreError.self) { try password(#"{"passfile": true}"#) }
        #expect(error?.remedy == "Run chmod 600 on it.")
        #expect(error.map { "\($0.debugDescription)".contains("hunter2") } == false)
    }

    @Test(arguments: [
        (#"{"file": "missing"}"#, "the file"),
        (#"{"env": "MISSING"}"#, "the environment variable MISSING, which contains the password, is not set"),
        (#"{"command": ["false"]}"#, "ended with status 1"), (#"{"passfile": "missing"}"#, "can't be read"),
        (#"{"command": ["true"]}"#, "is empty"),
    ])
    func `A missing secret is an error with the position of its setting`(source: String, fragment: String) {
        let error = #expect(throws: StoreError.self) { try password(source) }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("storectl.json:1:") == true)
        #expect(error?.message.contains(fragment) == true, "\(error?.message ?? "")")
    }

    @Test func `A redacted text shows a secret in no form`() {
        let ledger = SecretLedger()
        ledger.register("p@ss \"w\"")
        ledger.register("p@ss")
        ledger.register("")
        let text = "p@ss \"w\" p%40ss%20%22w%22 p%40ss%20%22W%22 {\"a\":\"p@ss \\\"w\\\"\"} p@ss"
        #expect(ledger.redacted(text) == "*** *** ***%20%22W%22 {\"a\":\"***\"} ***")
    }

    @Test func `The password of a URL in a variable is redacted`() throws {
        let environment = folder.environment(["STORECTL_URL": "server://app:hunter2@db/shop"])
        _ = try StoreConfiguration.load(environment).store(nil)
        #expect(environment.secrets.redacted("hunter2") == "***")
        let inKeywords = folder.environment(["STORECTL_URL": #"host=db password='a \'b'"#])
        _ = try StoreConfiguration.load(inKeywords).store(nil)
        #expect(inKeywords.secrets.redacted(#"a 'b a \'b"#) == "*** ***")
    }
}
