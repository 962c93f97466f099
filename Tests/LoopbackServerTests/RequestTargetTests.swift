import Testing

@testable import LoopbackServer

struct RequestTargetTests {
    @Test func `A target is decoded`() throws {
        let target = try #require(
            RequestTarget("/api/query?request=Player&where=name%20%3D%3D+%22%C3%84%22&where=&x"))
        #expect(target.path == "/api/query")
        #expect(
            target.query == [
                .init("request", "Player"), .init("where", "name == \"Ä\""), .init("where", ""),
                .init("x", ""),
            ])
        #expect(target.values(of: "where") == ["name == \"Ä\"", ""])
        #expect(target.values(of: "none") == [])
    }

    @Test func `A target is split after its first segment`() throws {
        let split = try #require(RequestTarget("/a%20b/c/d?e=f")?.split)
        #expect(split.first == "a b")
        #expect(split.rest == RequestTarget("/c/d?e=f"))
        #expect(RequestTarget("/a/")?.split?.rest == RequestTarget("/"))
        #expect(RequestTarget("/a")?.split == nil)
        #expect(RequestTarget("/")?.split == nil)
    }

    @Test func `A plus is a space in a query alone, and an equals sign may be in a value`() throws {
        let target = try #require(RequestTarget("/a+b?c+d=e=f"))
        #expect(target.path == "/a+b")
        #expect(target.query == [.init("c d", "e=f")])
    }

    @Test func `Empty items are left out`() throws {
        #expect(try #require(RequestTarget("/?&&a=1&")).query == [.init("a", "1")])
        #expect(try #require(RequestTarget("/?")).query == [])
    }

    @Test(arguments: [
        "", "*", "api", "http://127.0.0.1/", "//evil.com/", "/#a", "/%", "/%2", "/%zz", "/%00", "/a?b=%00",
        "/%ff",
        "/a?b=%C3", "/%c0%ae%c0%ae/", "/%7f", "/%0a", "/a%09", "/..", "/a/../b", "/%2e%2e/b", "/./a", "/a/.",
        "/a\\b",
        "/a?b=%1b", "/a%5c..", "/\u{1}",
    ])
    func `An invalid target is refused`(text: String) {
        #expect(RequestTarget(text) == nil)
    }

    @Test func `A value can have several lines`() throws {
        #expect(try #require(RequestTarget("/a?b=1%0A2%09")).values(of: "b") == ["1\n2\t"])
    }
}
