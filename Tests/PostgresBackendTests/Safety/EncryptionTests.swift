#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// TLS connections to servers that the test starts.
@Suite(
    .enabled(if: PrivateServer.isExpected, PrivateServer.absence),
    .enabled(if: TestCertificates.canBeMade, "Needs openssl."))
struct EncryptionTests {
    /// The parameters of a connection attempt.
    private struct Attempt {
        var host = "localhost"
        var tls = PostgresConfiguration.TLS.verifyFull
        var authority: String? = "known.crt"
        var user: String?
        var client: String?
    }

    /// A server with its certificates and its address.
    private final class TLSServer {
        let server: PrivateServer
        let certificates: TestCertificates
        private let administrator: PostgresConnection

        init() throws {
            certificates = try TestCertificates()
            try certificates.make("server", for: "localhost")
            try certificates.make("expired", for: "localhost", days: -1)
            try certificates.make("other", for: "db.example.com")
            try certificates.make("certified", for: "certified")
            try certificates.make("stranger", for: "certified", by: "unknown")
            server = try PrivateServer()
            administrator = try PostgresConnection(server.configuration)
        }

        /// Writes a file into the server's folder that only the server may read.
        private func write(_ text: String, to name: String) throws {
            let quoted = text.replacing("'", with: "''")
            try administrator.execute(
                "COPY (SELECT regexp_split_to_table('\(quoted)', '\\n')) TO PROGRAM 'umask 077; cat > \(name)'"
            )
        }

        /// Enables TLS on the server, with a certificate.
        func offerTLS(_ name: String) throws {
            try write(certificates.text("\(name).crt"), to: "\(name).crt")
            try write(certificates.text("\(name).key"), to: "\(name).key")
            try administrator.execute("ALTER SYSTEM SET ssl_cert_file = '\(name).crt'")
            try administrator.execute("ALTER SYSTEM SET ssl_key_file = '\(name).key'")
            try administrator.execute("ALTER SYSTEM SET ssl = on")
            try reload()
        }

        /// Requires a client certificate for one role.
        func demandClientCertificates() throws {
            try write(certificates.text("known.crt"), to: "clients.crt")
            try administrator.execute("ALTER SYSTEM SET ssl_ca_file = 'clients.crt'")
            try administrator.execute("CREATE ROLE certified LOGIN")
            try write("hostssl all certified all cert\nhost all certified all reject", to: "first.conf")
            try administrator.execute(
                """
                COPY (SELECT 1) TO PROGRAM \
                'cat > /dev/null; cat first.conf pg_hba.conf > both.conf && mv both.conf pg_hba.conf'
                """)
            try reload()
        }

        private func reload() throws {
            let question = "SELECT (extract(epoch FROM pg_conf_load_time()) * 1000000)::int8"
            let before = try #require(try administrator.integer(question))
            try administrator.execute("SELECT pg_reload_conf()")
            // The server has loaded the certificate when a client sees it.
            let isLoaded = try eventually {
                try PostgresConnection(server.configuration).integer(question) ?? 0 > before
            }
            #expect(isLoaded)
        }

        func configuration(_ attempt: Attempt) -> PostgresConfiguration {
            var configuration = server.configuration
            configuration.hosts = configuration.hosts.map { .init(attempt.host, port: $0.port) }
            configuration.tls = attempt.tls
            if let user = attempt.user { (configuration.user, configuration.password) = (user, nil) }
            if let authority = attempt.authority {
                configuration.connectionSettings["sslrootcert"] = certificates.path(authority)
            }
            if let client = attempt.client {
                configuration.connectionSettings["sslcert"] = certificates.path("\(client).crt")
                configuration.connectionSettings["sslkey"] = certificates.path("\(client).key")
            }
            return configuration
        }

        /// Connects, and returns whether the server reports TLS.
        func isEncrypted(_ attempt: Attempt) throws -> Bool {
            let connection = try PostgresConnection(configuration(attempt))
            return try connection.integer(
                "SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == 1
        }

        func refuses(
            _ code: StoreError.Code, _ words: String, _ attempt: Attempt,
            at location: SourceLocation = #_sourceLocation
        ) {
            let error = expectError(code, "\(attempt)", at: location) { _ = try isEncrypted(attempt) }
            #expect(
                error?.detail?.contains(words) == true, "\(error?.detail ?? "")", sourceLocation: location)
        }
    }

    @Test func `A server without TLS is rejected if TLS is required`() throws {
        let server = try TLSServer()
        for tls in [PostgresConfiguration.TLS.require, .verifyAuthority, .verifyFull] {
            server.refuses(.configuration, "does not support SSL", Attempt(tls: tls))
        }
        #expect(try !server.isEncrypted(Attempt(tls: .disable)))
    }

    @Test func `A server is verified as strictly as configured`() throws {
        let server = try TLSServer()
        try server.offerTLS("server")
        #expect(try server.isEncrypted(Attempt()))
        // The certificate contains the host name, but not the IP address.
        server.refuses(.configuration, "does not match host name", Attempt(host: "127.0.0.1"))
        #expect(try server.isEncrypted(Attempt(host: "127.0.0.1", tls: .verifyAuthority)))
        for tls in [PostgresConfiguration.TLS.verifyAuthority, .verifyFull] {
            server.refuses(
                .configuration, "certificate verify failed", Attempt(tls: tls, authority: "unknown.crt"))
            server.refuses(.configuration, "does not exist", Attempt(tls: tls, authority: "nothing.crt"))
        }
        #expect(try server.isEncrypted(Attempt(tls: .require, authority: nil)))
        #expect(try !server.isEncrypted(Attempt(tls: .disable)))

        try server.offerTLS("expired")
        server.refuses(.configuration, "certificate verify failed", Attempt())
        server.refuses(.configuration, "certificate verify failed", Attempt(tls: .verifyAuthority))
        // The certificate is valid otherwise.
        #expect(try server.isEncrypted(Attempt(tls: .require, authority: nil)))
        try server.offerTLS("other")
        server.refuses(.configuration, "does not match host name", Attempt())
        #expect(try server.isEncrypted(Attempt(tls: .verifyAuthority)))
    }

    @Test func `A role that requires a certificate connects only with its own`() throws {
        let server = try TLSServer()
        try server.offerTLS("server")
        try server.demandClientCertificates()
        #expect(try server.isEncrypted(Attempt(user: "certified", client: "certified")))
        server.refuses(.accessDenied, "28000", Attempt(user: "certified"))
        server.refuses(.accessDenied, "28000", Attempt(tls: .disable, user: "certified"))
        let stranger = Attempt(user: "certified", client: "stranger")
        let error = #expect(throws: StoreError.self) { try server.isEncrypted(stranger) }
        #expect([.configuration, .accessDenied].contains(error?.code), "\(String(reflecting: error))")
        // Other roles connect as before.
        #expect(try server.isEncrypted(Attempt()))
    }

    @Test func `A store works over TLS, with rows that fill many packets`() throws {
        let server = try TLSServer()
        try server.offerTLS("server")
        let things = try ServerThings(server.configuration(Attempt()))
        for key in 1...3 { try things.save(Int64(key)) }
        var changes = ChangeSet()
        var builder = RowBatchBuilder(model: things.coordinator.model)
        for key in 10..<3_010 {
            builder.beginRow(key: Int64(key), version: 2, entityIndex: 0)
            builder.set(0, to: .string(String(repeating: "x", count: 3_000) + "\(key)"))
        }
        changes.inserts = [.init(entityIndex: 0, rows: try builder.finish())]
        let session = try things.coordinator.openWriteSession(SessionOptions(identifier: "many"))
        #expect(try session.apply(changes).conflicts.isEmpty)
        _ = try session.commit()
        #expect(try things.keys().count == 3_003)
        things.coordinator.close()
    }
}
#endif
