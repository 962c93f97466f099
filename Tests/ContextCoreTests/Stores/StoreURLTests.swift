import ContextCore
import Testing

struct StoreURLTests {
    @Test func `A file's path follows the colon`() throws {
        let url = try StoreURL("sqlite:games.sqlite")
        #expect(url.scheme == "sqlite")
        #expect(url.path == "games.sqlite")
        #expect(url.hosts.isEmpty)
        #expect(try StoreURL("sqlite:/var/lib/games.sqlite").path == "/var/lib/games.sqlite")
        #expect(try StoreURL("SQLite:../a%20b.sqlite").path == "../a b.sqlite")
        #expect(try StoreURL("memory:").path.isEmpty)
    }

    @Test func `A file URL's path is absolute after three slashes`() throws {
        #expect(try StoreURL("sqlite:///var/games.sqlite").path == "/var/games.sqlite")
    }

    @Test func `A server's address has a login, hosts and a database`() throws {
        let url = try StoreURL(
            "postgres://app:s%40crt@db1:5433,[::1]:5432,db3/games?sslmode=verify-full&a=b%26c")
        #expect(url.user == "app")
        #expect(url.password == "s@crt")
        #expect(url.hosts == [.init("db1", port: 5433), .init("::1", port: 5432), .init("db3")])
        #expect(url.path == "/games")
        #expect(url.databaseName == "games")
        #expect(url.options == ["sslmode": "verify-full", "a": "b&c"])
    }

    @Test func `No printed form of an address contains its password`() throws {
        let url = try StoreURL("postgres://app:topsecret@db/games?sslpassword=topsecret&x=1")
        var dumped = ""
        dump(url, to: &dumped)
        for text in ["\(url)", String(reflecting: url), dumped] {
            #expect(!text.contains("topsecret"))
        }
        #expect("\(url)" == "postgres://app:***@db/games?sslpassword=***&x=1")
    }

    @Test(arguments: [
        ("games.sqlite", "has no scheme"), (":games", "has no scheme"), ("/tmp/a:b", "has no scheme"),
        ("sqlite:a#b", "a # must be written %23"),
        ("sqlite:a%2", "the path has a % without two hexadecimal digits"),
        ("sqlite:a%ff", "the path is not valid UTF-8"), ("sqlite:a%00", "the path contains a NUL"),
        ("sqlite:a?b", "isn't written as key=value"), ("sqlite:a?=b", "has no key"),
        ("sqlite:a?b=1&b=2", "the setting b is given twice"), ("sqlite:a?", "isn't written as key=value"),
        ("postgres://@db/x", "there is no user name"), ("postgres://a@b@db/x", "written %40"),
        ("postgres://db:/x", "a host's port is not a number"), ("postgres://db:70000/x", "a host's port"),
        ("postgres://db:+1/x", "a host's port"), ("postgres://db,,e/x", "a host has no name"),
        ("postgres://[::1/x", "no ]"), ("postgres://db:/x", "a host's port is not a number"),
        ("postgres://app:5/secret@db/x", "a / in a user name or password %2F"),
        ("postgres://app:top?a=secret@db/x", "a ? in a user name or password %3F"),
        ("host=db port", "isn't written as keyword=value"),
        ("host=db a-b=1", "isn't written as keyword=value"),
        ("host='db", "no closing quote"), ("host='db'port=1", "no space follows"),
        ("host=db\\", "ends with a backslash"),
        ("host=a host=b", "host is given twice"), ("host=a,,b", "a host has no name"),
        ("host=a,b,c port=1,2", "3 hosts and 2 ports"), ("host=a port=x", "a host's port is not a number"),
        ("host=a\0b", "contains a NUL"),
    ])
    func `An invalid address is an error that names the problem`(text: String, fragment: String) {
        let error = #expect(throws: StoreError.self) { try StoreURL(text) }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains(fragment) == true)
    }

    @Test func `An address may be a connection string, without percent encoding`() throws {
        let url = try StoreURL(
            #"  host=db1,/run/db port = 5433,5434 user='a b' password=p\'@:/?#% dbname='' sslmode=verify-full x='\\'"#
        )
        #expect(url.scheme == "postgres")
        #expect(url.user == "a b")
        #expect(url.password == "p'@:/?#%")
        #expect(url.hosts == [.init("db1", port: 5433), .init("/run/db", port: 5434)])
        #expect(url.databaseName.isEmpty)
        #expect(url.options == ["sslmode": "verify-full", "x": "\\"])
        #expect("\(url)" == "postgres://a b:***@db1:5433,%2Frun%2Fdb:5434?sslmode=verify-full&x=\\")
        #expect(try StoreURL("dbname=games port=1") == StoreURL("postgres:/games?port=1"))
    }

    @Test(arguments: [
        "host=db password=topsecret secret", "password='topsecret", "password=topsecret password=topsecret",
        "host=db port=topsecret", "host=db topsecret", "password='topsecret'x", "password=top topsecret@db",
        "postgres://app:5/topsecret@db/x", "postgres://app:5?topsecret=a@db/x",
        "postgres://app:topsecret@db:x/games", "postgres://app:topsecret%@db/games", "topsecret",
        "postgres://app:topsecret@a@db/games", "postgres://app:topsecret@db/games?x",
    ])
    func `An error about an address doesn't contain its password`(text: String) {
        let error = #expect(throws: StoreError.self) { try StoreURL(text) }
        #expect(error.map { !$0.debugDescription.contains("topsecret") } == true)
    }
}
