#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Addresses as connection strings, services and environment variables, as libpq reads them.
struct ServerAddressTests {
    private let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    private static let services = """
        # what everybody has
        [other]
        host=other.example.com

          [games]
        host=db1.example.com,db2.example.com
        port=5433
        user=reader
        password= p@ss 'w/rd
        dbname=games
        sslmode=require
        target_session_attrs=any

        [games]
        host=late.example.com
        """

    private func configuration(
        _ address: String, _ variables: [String: String] = [:], services: String = services
    ) throws -> PostgresConfiguration {
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        try Data(services.utf8).write(to: URL(fileURLWithPath: home + "/.pg_service.conf"))
        let environment = ConfigurationEnvironment(
            variables: variables.merging(["HOME": home]) { given, _ in given }, directory: home)
        let url = try StoreURL(address)
        _ = try StoreBackend.backend(for: url, among: [.postgres])
        return try PostgresConfiguration(url, environment)
    }

    @Test func `A connection string is equivalent to a URL`() throws {
        let words =
            "host=db1.example.com,::1 port=5433,5434 dbname=games user=app password='a b' sslmode=require timeout=5s"
        let url = "postgres://app:a%20b@db1.example.com:5433,[::1]:5434/games?tls=require&timeout=5s"
        #expect(try configuration(words) == configuration(url))
        #expect(
            try configuration("dbname=games host=/run/postgresql")
                == configuration("postgres:///games?host=/run/postgresql"))
        #expect(
            try configuration("postgres:///games?host=/run/postgresql&port=5433")
                == configuration("postgres://%2Frun%2Fpostgresql:5433/games"))
        #expect(try configuration("hostaddr=10.0.0.1").hosts == [.init("10.0.0.1")])
        #expect(try configuration("port=5433").hosts == [.init("", port: 5433)])
    }

    @Test(arguments: [
        "postgres:?service=games", "postgres:///?service=games", "service=games", "service = 'games'",
    ])
    func `A service provides what the address omits`(address: String) throws {
        let read = try configuration(address)
        #expect(read.hosts == [.init("db1.example.com", port: 5433), .init("db2.example.com", port: 5433)])
        #expect(read.user == "reader" && read.password == " p@ss 'w/rd" && read.database == "games")
        #expect(read.tls == .require && read.target == .any)
    }

    @Test func `The address takes precedence over the service, and the service over the environment`()
        throws
    {
        let environment = [
            "PGSERVICE": "games", "PGHOST": "env.example.com", "PGPORT": "6000", "PGDATABASE": "env",
            "PGSSLMODE": "verify-ca", "PGTARGETSESSIONATTRS": "standby", "PGCONNECT_TIMEOUT": "7",
        ]
        let written = try configuration("postgres://app:x@db3/shop?tls=verify-full", environment)
        #expect(written.hosts == [.init("db3", port: 5433)])
        #expect(written.user == "app" && written.password == "x" && written.database == "shop")
        #expect(written.tls == .verifyFull && written.target == .any && written.connectTimeout == .seconds(7))
        let other = try configuration("service=other", environment)
        #expect(other.hosts == [.init("other.example.com", port: 6000)] && other.database == "env")
        #expect(other.tls == .verifyAuthority && other.target == .standby && other.password == nil)
    }

    @Test func `A server from the environment is verified unless it is local`() throws {
        #expect(try configuration("postgres:///games", ["PGHOST": "db.example.com"]).tls == .verifyFull)
        #expect(try configuration("postgres:///games", ["PGHOSTADDR": "10.0.0.1"]).tls == .verifyFull)
        #expect(
            try configuration("postgres://localhost/games", ["PGHOSTADDR": "10.0.0.1"]).tls == .verifyFull)
        #expect(try configuration("postgres:///games", ["PGHOST": "/run/postgresql"]).tls == .disable)
        let preferring = try configuration("postgres:///games", ["PGHOST": "db", "PGSSLMODE": "prefer"])
        #expect(preferring.tls == .verifyFull)
    }

    @Test func `The service file may be at another path`() throws {
        let elsewhere = home + "-services"
        try Data("[far]\nhost=far.example.com".utf8).write(to: URL(fileURLWithPath: elsewhere))
        defer { try? FileManager.default.removeItem(atPath: elsewhere) }
        #expect(
            try configuration("service=far", ["PGSERVICEFILE": elsewhere]).hosts == [.init("far.example.com")]
        )
    }

    @Test func `Two names of one parameter are accepted`() throws {
        let one = try configuration("service=games").storeIdentity
        #expect(
            try configuration("postgres://db1.example.com:5433,db2.example.com:5433/games").storeIdentity
                == one)
        #expect(try configuration("service=other").storeIdentity != one)
    }

    @Test func `Other parameters are passed on to libpq`() throws {
        let read = try configuration(
            "postgres://db/games?sslrootcert=/ca.pem&passfile=/p&keepalives_idle=60&sslpassword=hunter2")
        #expect(
            read.connectionSettings
                == [
                    "sslrootcert": "/ca.pem", "passfile": "/p", "keepalives_idle": "60",
                    "sslpassword": "hunter2",
                ])
        var dumped = ""
        dump(read, to: &dumped)
        #expect(!"\(read) \(String(reflecting: read)) \(dumped)".contains("hunter2"))
    }

    @Test(arguments: [
        ("[games]\nhots=db", "The keyword hots is unknown", "Did you mean host?"),
        ("[games]\npassword =hunter2", "The keyword password  is unknown", "Did you mean password?"),
        ("[games]\nhunter2", ":2: The line doesn't have the form keyword=value", ""),
        ("[games]\nhost=a\nhost=b", ":3: The keyword host is set twice", ""),
        (
            "[games]\noptions=-c search_path=hunter2", "can't have the keyword options",
            "sets the options of its sessions itself"
        ),
        ("[games]\nservice=hunter2", "can't have the keyword service", ""),
        ("[game]\npassword=hunter2", "The service “games” wasn't found", "below a line [games]"),
        ("[games]\nhost=a\nhostaddr=10.0.0.1", "both a host name and hostaddr", ""),
        ("[games]\nport=hunter2", "a host's port is not a number", ""),
        ("[games]\nhost=a,b\nport=1,2,3", "2 hosts and 3 ports", ""),
    ])
    func `An invalid service is an error without its values`(
        services: String, message: String, remedy: String
    ) {
        let error = #expect(throws: StoreError.self) {
            try configuration("service=games", services: services)
        }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(remedy.isEmpty || error?.remedy?.contains(remedy) == true, "\(error?.remedy ?? "")")
        #expect(error?.debugDescription.contains("hunter2") == false)
    }

    @Test(arguments: [
        ("host=db usre=app", "no setting “usre”"), ("host=db options='-c a=b'", "no setting “options”"),
        ("postgres://db/games?application_name=x", "no setting “application_name”"),
        ("postgres://db/games?user=app", "no setting “user”"),
    ])
    func `An unknown keyword is an error`(address: String, message: String) {
        let error = #expect(throws: StoreError.self) { try configuration(address) }
        #expect(error?.code == .configuration && error?.message.contains(message) == true)
    }

    @Test(.enabled(if: TestServer.isExpected))
    func `The password file is searched for each server`() throws {
        let server = try TestServer.freshConfiguration()
        let (host, password) = (try #require(server.hosts.first), try #require(TestServer.password))
        let path = home + ".pgpass"
        let escaped = password.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        let port = host.port ?? 5432
        let lines = "*:1:*:*:wrong\n\(host.name):\(port):*:\(server.user ?? "*"):\(escaped)\n"
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data(lines.utf8), attributes: [.posixPermissions: 0o600])
        try #require(isMade)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let words =
            "host=\(host.name),\(host.name) port=1,\(port) user=\(server.user ?? "") "
            + "dbname=\(server.database ?? "") passfile=\(path) target_session_attrs=any"
        let connection = try PostgresConnection(configuration(words))
        #expect(try connection.integer("SELECT 1") == 1)
    }
}
#endif
