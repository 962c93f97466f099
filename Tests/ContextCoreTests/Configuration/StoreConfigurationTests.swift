import Foundation
import Testing

@testable import ContextCore

struct StoreConfigurationTests {
    private let folder: ConfigurationFolder
    private let file = StoreBackend(
        name: "File", schemes: ["file"], optionKeys: ["mode"],
        administration: .init(pathsAreFiles: true) { _ in throw StoreError(.unsupportedRequest, "none") }
    ) { _, model, _ in InMemoryCoordinator(model: model) }
    private let server = StoreBackend(name: "Server", schemes: ["server"], optionKeys: ["schema"]) {
        _, model, _ in InMemoryCoordinator(model: model)
    }

    init() throws { folder = try ConfigurationFolder() }

    private func url(
        _ text: String?, _ variables: [String: String] = [:], among others: StoreBackend...
    ) throws -> StoreURL {
        let environment = folder.environment(variables)
        let backends = [file, server] + others
        return try StoreConfiguration.load(environment).store(text).url(among: backends, environment)
    }

    // MARK: Files

    @Test func `Stores have names, and one of them is the default`() throws {
        try folder.write(
            """
            {
              // Comments are allowed.
              "default": "prod",
              "stores": {
                "dev": "file:/data/dev",
                "prod": {"url": "server://app@db:5432/shop", "options": {"schema": "shop"}, "production": true},
              },
            }
            """)
        let configuration = try StoreConfiguration.load(folder.environment())
        #expect(configuration.storeNames == ["dev", "prod"])
        #expect(configuration.defaultName == "prod")
        #expect(try configuration.store("prod").isProduction)
        #expect(try !configuration.store("dev").isProduction)
        #expect(try url(nil).description == "server://app@db:5432/shop?schema=shop")
        #expect(try url("dev").path == "/data/dev")
    }

    @Test func `An address may be given in parts`() throws {
        try folder.write(
            """
            {"stores": {
              "a": {"backend": "server", "host": "db", "port": 1, "database": "shop", "user": "app"},
              "b": {"backend": "file", "path": "x", "options": {"mode": 3}}
            }}
            """)
        #expect(try url("a").description == "server://app@db:1/shop")
        #expect(try url("b").description == "file:\(folder.path)/x?mode=3")
    }

    @Test func `A connection string is accepted wherever a URL is`() throws {
        try folder.write(
            #"""
            {"stores": {
              "a": "host=db user=app dbname='the shop'",
              "b": {"url": "host=db dbname=shop", "options": {"schema": "live"}},
              "c": {"url": {"env": "ADDRESS"}}
            }}
            """#)
        let words = "host=db,db2 port=1 password='a b'"
        #expect(try url("a", among: .postgreSQL).description == "postgres://app@db/the shop")
        #expect(try url("b", among: .postgreSQL).description == "postgres://db/shop?schema=live")
        #expect(try url("c", ["ADDRESS": words], among: .postgreSQL).password == "a b")
        #expect(try url(words, among: .postgreSQL).hosts.map(\.port) == [1, 1])
        #expect(try url(nil, ["STORECTL_URL": words], among: .postgreSQL).hosts.count == 2)
        let error = #expect(throws: StoreError.self) { try url("host=db shcema=live", among: .postgreSQL) }
        #expect(error?.remedy?.contains("Did you mean schema?") == true)
        try folder.write(#"{"stores": {"a=b": "host=db"}}"#)
        #expect(throws: StoreError.self) { try url("a") }
    }

    @Test func `A file's path starts at the configuration's folder, unlike a server's database`() throws {
        try folder.write(
            #"{"stores": {"a": "file:Data/a", "b": "server:b", "c": "file:/c", "m": "file::memory:"}}"#)
        let inner = folder.path + "/Sources/Deep"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/.git", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        let environment = folder.environment(in: inner)
        let configuration = try StoreConfiguration.load(environment)
        func path(_ name: String) throws -> String {
            try configuration.store(name).url(among: [file, server], environment).path
        }
        #expect(try path("a") == folder.path + "/Data/a")
        #expect(try path("b") == "b")
        #expect(try path("c") == "/c")
        #expect(try path("m") == ":memory:")
    }

    @Test func `The search ends at a repository's root and at the home folder`() throws {
        try folder.write(#"{"stores": {"a": "file:a"}}"#)
        let inner = folder.path + "/inner"
        try FileManager.default.createDirectory(atPath: inner + "/.git", withIntermediateDirectories: true)
        #expect(try StoreConfiguration.load(folder.environment(in: inner)).files.isEmpty)
        #expect(try StoreConfiguration.load(folder.environment(in: folder.path)).files.count == 1)
        let outer = URL(fileURLWithPath: folder.home).deletingLastPathComponent().path
        try folder.write(#"{"stores": {}}"#, to: outer + "/storectl.json")
        #expect(try StoreConfiguration.load(folder.environment(in: folder.home)).files.isEmpty)
    }

    @Test func `Outside of a repository and the home folder, parent folders aren't searched`() throws {
        try folder.write(#"{"stores": {"a": "file:a"}}"#)
        let inner = folder.path + "/inner"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        #expect(try StoreConfiguration.load(folder.environment(in: inner)).files.isEmpty)
        #expect(try StoreConfiguration.load(folder.environment(in: folder.path)).files.count == 1)
    }

    @Test func `The user's file adds stores to those of the project's file`() throws {
        try folder.write(#"{"stores": {"a": "file:/project"}}"#)
        try folder.write(
            #"{"default": "b", "stores": {"a": "file:/user", "b": "file:/b"}}"#,
            to: folder.home + "/.config/storectl/config.json")
        #expect(try url("a").path == "/project")
        #expect(try url(nil).path == "/b")
    }

    // MARK: Precedence

    @Test func `An explicit name takes precedence over the environment, and that over the default`() throws {
        try folder.write(#"{"default": "a", "stores": {"a": "file:/a", "b": "file:/b", "c": "file:/c"}}"#)
        let all = [
            "STORECTL_URL": "file:/url", "STORECTL_STORE": "b", "DATABASE_URL": "file:/database",
        ]
        #expect(try url("c", all).path == "/c")
        #expect(try url("file:/flag", all).path == "/flag")
        #expect(try url(nil, all.filter { $0.key != "STORECTL_STORE" }).path == "/url")
        #expect(try url(nil, all.filter { $0.key != "STORECTL_URL" }).path == "/b")
        let both = #expect(throws: StoreError.self) { try url(nil, all) }
        #expect(both?.message == "STORECTL_URL and STORECTL_STORE are both set, and each selects a store.")
        #expect(try url(nil, ["DATABASE_URL": "file:/database"]).path == "/database")
        #expect(try url(nil).path == "/a")
    }

    @Test func `A single store needs no default`() throws {
        try folder.write(#"{"stores": {"only": "file:/only"}}"#)
        #expect(try url(nil).path == "/only")
        try folder.write(#"{"stores": {"a": "file:/a", "b": "file:/b"}}"#)
        let error = #expect(throws: StoreError.self) { try url(nil) }
        #expect(error?.remedy?.hasPrefix("Specify one of the stores a, b") == true)
    }

    @Test func `An unknown name is an error that suggests a known one`() throws {
        try folder.write(#"{"stores": {"prod": "file:/a", "dev": "file:/b"}}"#)
        let error = #expect(throws: StoreError.self) { try url("prdo") }
        #expect(error?.code == .configuration)
        #expect(error?.message == "The configuration has no store “prdo”.")
        #expect(error?.remedy == "Did you mean prod? Its stores are dev, prod.")
    }

    // MARK: Mistakes

    @Test(arguments: [
        ("{\n  \"stores\": {\n    \"a\" 1\n  }\n}", "3:9: Expected a colon after the name, found “1”."),
        (#"{"strores": {}}"#, "1:1: The configuration needs “stores”: add it."),
        (
            #"{"stores": {"a": {"url": "file:a", "prodution": true}}}"#,
            "1:36: A store has no “prodution”: did you mean “production”?"
        ),
        (#"{"stores": {"a": 3}}"#, "1:18: Expected a JSON object for a store, found a number."),
        (
            #"{"stores": {"a": "nowhere"}}"#,
            "1:18: The store's address has no scheme, so no backend can be selected."
        ),
        (
            #"{"default": "a", "stores": {"a": "nowhere"}}"#,
            "1:34: The store's address has no scheme, so no backend can be selected."
        ),
        (#"{"stores": {"a:b": "file:a"}}"#, "1:13: “a:b” isn't a valid name of a store"),
        (
            #"{"default": "x", "stores": {"xx": "file:a"}}"#,
            "1:13: The default store “x” isn't in this file"
        ),
        (
            #"{"stores": {"a": {"url": "file:a", "host": "b"}}}"#,
            "1:36: “host” can't be combined with “url”: remove “host” or “url”."
        ),
        (
            #"{"stores": {"a": {"backend": "s", "host": "b", "port": 70000}}}"#,
            "1:56: “port” must be a number from 1 to 65535."
        ),
        (
            #"{"stores": {"a": {"url": "server:a", "password": "hunter2"}}}"#,
            "1:50: A password can't be written in this file"
        ),
        (
            #"{"stores": {"a": {"url": "server:a", "password": {"file": "a", "env": "B"}}}}"#,
            "1:50: “password” must have exactly one member"
        ),
    ])
    func `A mistake is reported with line and column`(text: String, message: String) throws {
        let file = try folder.write(text)
        let error = #expect(throws: StoreError.self) { try StoreConfiguration.load(folder.environment()) }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("\(file):\(message)") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func `A setting is given in the URL or in the options, not in both`() throws {
        try folder.write(#"{"stores": {"a": {"url": "server://h/d?schema=x", "options": {"schema": "y"}}}}"#)
        #expect(throws: StoreError.self) { try url("a") }
    }

    // MARK: Applications

    @Test func `An application opens a store by a name in its configuration`() async throws {
        let error = await #expect(throws: StoreError.self) {
            try await Store.open("no-such-store-anywhere", backends: [file], model: ObjectModel.empty)
        }
        #expect(error?.message == "The configuration has no store “no-such-store-anywhere”.")
    }
}

extension StoreBackend {
    /// A backend that accepts connection strings with keywords.
    fileprivate static let postgreSQL = StoreBackend(
        name: "PostgreSQL", schemes: ["postgres"], optionKeys: ["schema"]
    ) { _, model, _ in InMemoryCoordinator(model: model) }
}
