#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

struct ValueTests {
    @Test(
        arguments: [
            "0", "1", "-1", "9999", "10000", "10001", "0.1", "-0.0001", "0.00001",
            "123456789012345678901234567890.12345678",
            "-99999999999999999999999999999999999999", "1e-30", "1000000", "0.10", "12.3400",
        ])
    func `A decimal number crosses and comes back`(_ text: String) throws {
        let number = try #require(Decimal(string: text))
        var bytes: [UInt8] = []
        PostgresNumeric.write(number, to: &bytes)
        #expect(bytes.withUnsafeBytes { PostgresNumeric.read($0) } == number)
    }

    @Test func `Random decimal numbers cross and come back`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(state: seed)
        for _ in 0..<2000 {
            let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
                String(Int.random(in: 0...9, using: &random))
            }.joined()
            let exponent = Int.random(in: -40...10, using: &random)
            let number = try #require(
                Decimal(string: "\(Bool.random(using: &random) ? "-" : "")\(digits)e\(exponent)"))
            var bytes: [UInt8] = []
            PostgresNumeric.write(number, to: &bytes)
            #expect(bytes.withUnsafeBytes { PostgresNumeric.read($0) } == number, "\(number), seed \(seed)")
        }
    }

    @Test func `A moment far away crosses without a trap`() {
        for moment in [Int64.min, .min + 1, -1, 0, 1, .max] {
            _ = PostgresMoment.received(PostgresMoment.sent(moment))
        }
        #expect(PostgresMoment.received(PostgresMoment.sent(-1)) == -1)
    }
}

struct ConfigurationTests {
    private func configuration(_ url: String) throws -> PostgresConfiguration {
        try PostgresConfiguration(StoreURL(url))
    }

    @Test func `A URL says everything`() throws {
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
    func `A server elsewhere is verified unless the URL says otherwise`(
        url: String, tls: PostgresConfiguration.TLS
    ) throws {
        #expect(try configuration(url).tls == tls)
    }

    @Test(arguments: ["tls=verify-ful", "timeout=soon", "connections=1", "prepare=maybe", "history=1"])
    func `What a setting doesn't have is refused`(_ setting: String) {
        #expect { try configuration("postgres://localhost/games?\(setting)") } throws: {
            ($0 as? StoreError)?.code == .configuration
        }
    }
}
#endif
