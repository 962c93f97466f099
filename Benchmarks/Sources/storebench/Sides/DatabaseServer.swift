import CBaseline
import Foundation

/// The PostgreSQL server that both sides use.
struct DatabaseServer {
    private static let variable = "STORE_TEST_POSTGRES_URL"

    private let url: URLComponents

    struct InvalidURL: Error, CustomStringConvertible {
        let description = "STORE_TEST_POSTGRES_URL is not the URL of a PostgreSQL server."
    }

    init() throws {
        guard let text = ProcessInfo.processInfo.environment[Self.variable],
            let url = URLComponents(string: text),
            url.host != nil
        else { throw InvalidURL() }
        self.url = url
    }

    /// Returns the address of a store in a schema.
    func storeURL(schema: String) -> String {
        var url = url
        url.queryItems = (url.queryItems ?? []) + [URLQueryItem(name: "schema", value: schema)]
        return url.string ?? ""
    }

    /// Connects the baseline to the server, with tables in a schema of their own.
    func connect(schema: String) throws -> CDatabase { try CDatabase(address: plainURL, schema: schema) }

    /// The address of the server for libpq, whose settings have other names than a store's.
    var plainURL: String {
        var url = url
        let isPlain =
            ["127.0.0.1", "localhost"].contains(url.host)
            || url.queryItems?.contains(URLQueryItem(name: "tls", value: "disable")) == true
        url.scheme = "postgresql"
        url.queryItems = [URLQueryItem(name: "sslmode", value: isPlain ? "disable" : "verify-full")]
        return url.string ?? ""
    }

    /// Runs this program again with a temporary server, unless a server is configured; in that case it returns.
    ///
    /// The server syncs to its disk, as in production.
    static func runBeside(_ arguments: [String]) throws {
        if ProcessInfo.processInfo.environment[variable] != nil { return }
        let script = Repository.path("scripts/postgres.sh")
        let words = [script, "exec", "--durable", CommandLine.arguments[0]] + arguments
        var pointers = words.map { strdup($0) }
        pointers.append(nil)
        execv(script, &pointers)
        throw CDatabase.Failure(
            description:
                "\(script) can't be run: \(String(cString: strerror(errno))). Set \(variable) instead.")
    }
}

/// The clone of the repository from which this program was built.
enum Repository {
    /// Returns the path of a file in the clone.
    static func path(_ name: String, file: StaticString = #filePath) -> String {
        // This file is Benchmarks/Sources/storebench/Sides/DatabaseServer.swift.
        var root = URL(fileURLWithPath: "\(file)")
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return root.appendingPathComponent(name).path
    }
}
