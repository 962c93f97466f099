#if Postgres
import Testing

/// The sockets of the test proxies.
struct TestSocketTests {
    @Test(arguments: ["localhost", "127.0.0.1"])
    func `A host is found by its name and by its address`(host: String) throws {
        let (listener, port) = try TestSocket.listen()
        defer { TestSocket.cut(listener) }
        let number = try #require(TestSocket.connect(host, port))
        defer { TestSocket.cut(number) }
        #expect(TestSocket.wait([listener], 10_000) == [true])
        #expect(TestSocket.localPort(number) != 0)
    }

    @Test func `An unknown host name is not found`() throws {
        let (listener, port) = try TestSocket.listen()
        defer { TestSocket.cut(listener) }
        #expect(TestSocket.connect("nowhere.invalid", port) == nil)
    }
}
#endif
