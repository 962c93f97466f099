import ChildProcesses
import Foundation
import RandomSeeds
import Testing

/// Clients that send too much, too slowly, too many requests, or no HTTP at all: the studio keeps answering, and changes nothing.
///
/// `STUDIO_REQUESTS` is the number of malformed requests, and `STUDIO_SEED` the seed.
@Suite(.enabled(if: StudioProcess.executable != nil, StudioProcess.reason), .serialized)
struct HostileClientTests {
    /// Expects that the studio answers a request of its page within some seconds.
    private func expectAnswer(_ studio: StudioProcess, _ comment: Comment? = nil) {
        let start = ContinuousClock.now
        let response = studio.send("GET", "/api/count?request=Player", studio.pageHeaders)
        #expect(response.status == 200, comment)
        #expect(response.body.contains("200"), comment)
        #expect(ContinuousClock.now - start < .seconds(15), comment)
        #expect(studio.isRunning, comment)
    }

    @Test func `Malformed requests read nothing, change nothing and end nothing`() throws {
        let studio = try StudioProcess(["--write"])
        let before = try studio.contents()
        let seed = UInt64(Effort.count("STUDIO_SEED", otherwise: .random(in: 0 ... .max)))
        var malformed = MalformedRequests(seed: seed, studio)
        let count = Effort.count("STUDIO_REQUESTS", otherwise: 10_000)
        var first: Int?
        for number in 0..<count {
            let request = malformed.next()
            guard let client = RawClient(port: studio.port) else {
                Issue.record("STUDIO_SEED=\(seed): no connection for request \(number)")
                return
            }
            client.send(request.bytes)
            client.finish()
            let response = client.receiveAll()
            if request.isAnonymous, response.contains(StudioStore.planted) || response.contains("Set-Cookie")
            {
                Issue.record("STUDIO_SEED=\(seed): request \(number) was answered: \(request.bytes)")
            }
            if number == count / 4 { first = studio.residentSize }
            if number.isMultiple(of: 1000) {
                expectAnswer(studio, "STUDIO_SEED=\(seed): after request \(number)")
            }
        }
        expectAnswer(studio, "STUDIO_SEED=\(seed)")
        #expect(try studio.contents() == before, "STUDIO_SEED=\(seed)")
        if let first, let last = studio.residentSize {
            #expect(last < first + 50_000, "STUDIO_SEED=\(seed): \(first) kB became \(last) kB")
        }
    }

    @Test func `Slow clients are disconnected, and delay no other client`() throws {
        let studio = try StudioProcess()
        let clients = try (0..<20).map { _ in try #require(RawClient(port: studio.port)) }
        var isOpen = clients.map { _ in true }
        let bytes = Array("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 1000))".utf8)
        let start = ContinuousClock.now
        var place = 0
        // A byte at a time: no two bytes are far apart, but the request takes minutes.
        while isOpen.contains(true), ContinuousClock.now - start < .seconds(40) {
            for index in clients.indices where isOpen[index] {
                isOpen[index] = clients[index].send([bytes[place]])
            }
            place += 1
            if place.isMultiple(of: 4) { expectAnswer(studio) }
            Thread.sleep(forTimeInterval: 0.25)
        }
        #expect(!isOpen.contains(true), "after \(ContinuousClock.now - start)")
        expectAnswer(studio)
    }

    @Test func `Two hundred idle connections delay no other client`() throws {
        let studio = try StudioProcess()
        var clients = (0..<200).compactMap { _ in RawClient(port: studio.port) }
        #expect(clients.count == 200)
        expectAnswer(studio)
        for client in clients { client.send("GET \(studio.path)api/count?request=Player HTTP/1.1\r\n".utf8) }
        expectAnswer(studio)
        clients = []
        expectAnswer(studio)
    }

    @Test func `More connections than the server accepts delay the page only for a while`() throws {
        let studio = try StudioProcess()
        let clients = (0..<600).compactMap { _ in RawClient(port: studio.port, timeout: 1) }
        #expect(clients.count > 200)
        // Silent connections are closed after ten seconds.
        let start = ContinuousClock.now
        var status: Int?
        while status != 200, ContinuousClock.now - start < .seconds(60) {
            status = studio.send("GET", "/api/count?request=Player", studio.pageHeaders).status
        }
        #expect(status == 200)
        withExtendedLifetime(clients) { expectAnswer(studio) }
    }

    @Test func `Two hundred requests at once are answered`() async throws {
        let studio = try StudioProcess()
        let (port, cookie) = (studio.port, studio.cookie)
        let request =
            "GET \(studio.path)api/count?request=Player HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(cookie)\r\nConnection: close\r\n\r\n"
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await onThread {
                        guard let client = RawClient(port: port, timeout: 120) else { return nil }
                        client.send(request.utf8)
                        return RawResponse(client.receiveAll()).status
                    }
                }
            }
            return try await group.reduce(into: [Int?: Int]()) { $0[$1, default: 0] += 1 }
        }
        // 503: more requests than the studio runs at once have waited too long.
        #expect(Set(statuses.keys).isSubset(of: [200, 503]), "\(statuses)")
        #expect(statuses[200, default: 0] > 0)
        expectAnswer(studio)
    }

    @Test func `Oversized headers, targets and bodies are refused without being read`() throws {
        let studio = try StudioProcess(["--write"])
        let before = try studio.contents()
        let long = String(repeating: "a", count: 1 << 20)
        let many = (0..<500).map { ("X-\($0)", "1") }
        #expect([431, 400, nil].contains(studio.send("GET", "/", studio.pageHeaders + [("X", long)]).status))
        #expect([414, 431, 400, nil].contains(studio.send("GET", "/?\(long)", studio.pageHeaders).status))
        #expect([431, 400, nil].contains(studio.send("GET", "/", studio.pageHeaders + many).status))
        let token = try #require(changeToken(studio))
        let headers = studio.pageHeaders + [("Content-Type", "application/json"), ("X-Studio-Token", token)]
        let head = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        // The body is announced, but never sent: the response must not wait for it.
        let large = studio.sendRaw(
            "POST \(studio.path)api/change HTTP/1.1\r\n\(head)Content-Length: \(64 << 20)\r\n\r\n")
        #expect(large.status == 413, "\(large.text)")
        let foreign = studio.sendRaw(
            "POST \(studio.path)api/change HTTP/1.1\r\nHost: \(studio.host)\r\nContent-Length: 1000000\r\n\r\n"
        )
        #expect(foreign.status == 403, "\(foreign.text)")
        #expect(try studio.contents() == before)
        expectAnswer(studio)
    }

    private func changeToken(_ studio: StudioProcess) -> String? {
        let body = studio.send("GET", "/api/studio", studio.pageHeaders).body
        let document = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return document?["token"] as? String
    }

    /// A client that reads a response in small parts, long after it was sent.
    private final class SlowReader {
        let target: String
        private(set) var received: [UInt8] = []
        private let client: RawClient

        init(_ studio: StudioProcess, _ target: String) throws {
            self.target = target
            client = try #require(RawClient(port: studio.port, timeout: 60, receiveBuffer: 64 << 10))
            let head = studio.pageHeaders.map { "\($0.0): \($0.1)\r\n" }.joined()
            client.send("GET \(studio.path)\(target) HTTP/1.1\r\n\(head)Connection: close\r\n\r\n".utf8)
        }

        func readPart() { received += client.receive() ?? [] }

        func readRest() {
            while let part = client.receive() { received += part }
        }
    }

    @Test func `Clients that read their responses slowly delay no other client`() throws {
        // More than the system takes from the server and keeps for the client.
        let size = Self.largestSendBuffer + (4 << 20)
        let studio = try StudioProcess(export: StudioStore.export(padding: size / 200))
        // As many exports as run at once, and more documents than commands run at once.
        let targets =
            Array(repeating: "api/export?request=Player", count: 4)
            + Array(repeating: "api/query?request=Player", count: 9)
        var readers: [SlowReader] = []
        for target in targets {
            readers.append(try SlowReader(studio, target))
            // The server closes a connection to a client that reads nothing for a minute.
            for reader in readers { reader.readPart() }
            let start = String(decoding: readers[readers.count - 1].received.prefix(1000), as: UTF8.self)
            #expect(start.hasPrefix("HTTP/1.1 200"), "\(target): \(start)")
            expectAnswer(studio, "\(target)")
        }
        for (reader, end) in [(readers[0], "\r\n0\r\n\r\n"), (readers[targets.count - 1], "}\n")] {
            reader.readRest()
            #expect(reader.received.count > size, "\(reader.target)")
            #expect(reader.received.suffix(end.utf8.count) == ArraySlice(end.utf8), "\(reader.target)")
        }
        // The other responses were not sent completely yet: a server that is killed sends no more.
        _ = studio.end(SIGKILL)
        for reader in readers.dropFirst().dropLast() {
            reader.readRest()
            #expect(reader.received.count < size, "\(reader.target): the system had taken the whole response")
        }
    }

    /// The largest number of bytes that the system takes from a sender before the receiver reads them.
    private static var largestSendBuffer: Int {
        let sizes = try? String(contentsOfFile: "/proc/sys/net/ipv4/tcp_wmem", encoding: .utf8)
        return sizes?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 4 << 20
    }
}
