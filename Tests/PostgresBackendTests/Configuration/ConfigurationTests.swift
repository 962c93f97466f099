#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

struct ConfigurationTests {
    private func configuration(_ url: String) throws -> PostgresConfiguration {
        try PostgresConfiguration(
            StoreURL(url), ConfigurationEnvironment(variables: [:], directory: "/"))
    }

    @Test func `A URL sets every option`() throws {
        let read = try configuration(
            "postgres://app:secret@db.example.com:5433/games?schema=live&timeout=5s&connections=4&prepare=off"
        )
        #expect(read.hosts == [StoreURL.Host("db.example.com", port: 5433)])
        #expect(read.user == "app" && read.password == "secret" && read.database == "games")
        #expect(read.schema == "live" && read.timeout == .seconds(5) && read.connections == 4)
        #expect(!read.preparesStatements && read.keepsHistory)
        #expect(!"\(read) \(String(reflecting: read))".contains("secret"))
    }

    @Test(arguments: [
        ("postgres://localhost/games", PostgresConfiguration.TLS.disable),
        ("postgres://[::1]/games", .disable),
        ("postgres:///games?host=/run/postgresql", .disable),
        ("postgres://db.example.com/games", .verifyFull),
        ("postgres://localhost,db.example.com/games", .verifyFull),
        ("postgres://db.example.com/games?tls=require", .require),
    ])
    func `A remote server is verified unless the URL disables it`(
        url: String, tls: PostgresConfiguration.TLS
    ) throws {
        #expect(try configuration(url).tls == tls)
    }

    @Test func `A schema or database whose name the server would truncate is rejected`() throws {
        let longest = String(repeating: "a", count: 63)
        #expect(try configuration("postgres://localhost/games?schema=\(longest)").schema == longest)
        #expect(try configuration("postgres://localhost/\(longest)").database == longest)
        let model = try ObjectModel(entities: [EntityDescription("Game", attributes: [])])
        for url in ["postgres://localhost/games?schema=\(longest)b", "postgres://localhost/\(longest)b"] {
            let error = #expect(throws: StoreError.self) { try configuration(url) }
            #expect(error?.code == .configuration)
            #expect(error?.message.contains("is 64 bytes long, and PostgreSQL allows 63") == true)
        }
        let error = #expect(throws: StoreError.self) {
            try PostgresCoordinator(model: model, PostgresConfiguration(schema: longest + "b"))
        }
        #expect(error?.code == .configuration)
    }

    @Test(arguments: [
        "tls=verify-ful", "timeout=soon", "connections=1", "prepare=maybe", "history=1", "sslmode=prefer",
        "connect_timeout=5s", "statement_timeout=never", "idle_in_transaction_session_timeout=0s",
        "tls=require&sslmode=require", "replicas=app:secret@db2",
    ])
    func `Invalid values of settings are rejected`(_ setting: String) {
        #expect { try configuration("postgres://localhost/games?\(setting)") } throws: {
            ($0 as? StoreError)?.code == .configuration
        }
    }
}
#endif
