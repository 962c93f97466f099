#if Postgres
import ContextCore
import Testing

@testable import PostgresBackend

/// The mapping of libpq's messages to errors.
struct ConnectionFailureTests {
    @Test(
        arguments: [
            ("FATAL:  28P01: password authentication failed for user \"app\"", "28P01", .accessDenied),
            ("ВАЖНО:  3D000: база данных \"games\" не существует", "3D000", .configuration),
            ("FATAL:  53300: sorry, too many clients already", "53300", .busy),
            ("FATAL:  57P03: the database system is starting up", "57P03", .connectionLost),
        ] as [(String, String, StoreError.Code)])
    func `A server's error is classified by its SQLSTATE, in any language`(
        _ words: String, _ state: String, _ code: StoreError.Code
    ) {
        let refusal = ConnectionFailure(
            "connection to server at \"::1\", port 1 failed: Connection refused\n"
                + "connection to server at \"127.0.0.1\", port 1 failed: \(words)\nLOCATION:  auth_failed, auth.c:335\n"
        )
        #expect(refusal.state == state)
        #expect(refusal.error.code == code)
        #expect(refusal.error.remedy != nil)
        #expect(refusal.error.detail?.contains("LOCATION") == false)
    }

    @Test(
        arguments: [
            ("connection to server at \"::1\", port 1 failed: Connection refused", .connectionLost),
            ("could not translate host name \"nowhere\" to address", .connectionLost),
            ("server does not support SSL, but SSL was required", .configuration),
            (
                """
                connection to server at "db" (::1), port 1 failed: Connection refused
                connection to server at "db" (127.0.0.1), port 1 failed: SSL error: certificate verify failed
                """, .configuration
            ),
            ("server certificate for \"a\" does not match host name \"b\"", .configuration),
            ("connection to server at \"db\", port 1 failed: session is read-only", .connectionLost),
        ] as [(String, StoreError.Code)])
    func `Without a server's error, libpq's message is classified`(_ words: String, _ code: StoreError.Code) {
        let refusal = ConnectionFailure(words)
        #expect(refusal.state == nil)
        #expect(refusal.error.code == code)
        #expect(refusal.error.remedy != nil)
    }

    @Test(arguments: [
        "could not read certificate file \"/home/app/client.crt\": No such file or directory",
        "private key file \"/home/app/client.key\" has group or world access",
        "SSL error: sslv3 alert certificate expired",
    ])
    func `Problems of the client's certificate are not reported as the server's`(_ words: String) {
        let error = ConnectionFailure(words).error
        #expect(error.code == .configuration)
        #expect(error.remedy?.contains("sslcert") == true)
        let other = ConnectionFailure("root certificate file \"/home/app/root.crt\" does not exist").error
        #expect(other.remedy?.contains("sslrootcert") == true)
    }

    @Test func `A missing password is reported with a remedy`() {
        let refusal = ConnectionFailure("fe_sendauth: no password supplied", asksForPassword: true)
        #expect(refusal.error.code == .accessDenied)
        #expect(refusal.error.remedy?.contains("PGPASSWORD") == true)
    }
}
#endif
