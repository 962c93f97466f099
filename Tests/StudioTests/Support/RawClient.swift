import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// A TCP connection to a server of this machine, which sends any bytes.
final class RawClient {
    private let descriptor: Int32

    /// Connects; nil if that fails.
    ///
    /// - Parameter receiveBuffer: The bytes that the system may receive before the client reads them; nil for the system's default.
    init?(port: Int, host: String = "127.0.0.1", timeout: Int = 20, receiveBuffer: Int32? = nil) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var time = timeval(tv_sec: timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        if var receiveBuffer {
            // Set before the connection exists, because the first segment announces it.
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let result = withUnsafePointer(to: &address) { pointer in
            // A socket address of any family is passed as the general one.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Sends bytes; returns false if the server has closed the connection.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            #if canImport(Darwin)
            let flags: Int32 = 0
            #else
            let flags = Int32(MSG_NOSIGNAL)
            #endif
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Tells the server that no more bytes come.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns some bytes; nil if the server has closed the connection, or sends nothing in time.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Returns all bytes up to the end of the connection.
    func receiveAll() -> String {
        var all: [UInt8] = []
        while let part = receive() { all += part }
        return String(decoding: all, as: UTF8.self)
    }
}

/// A response as text, with its parts.
struct RawResponse {
    let text: String

    init(_ text: String) { self.text = text }

    /// The status of the first response; nil if there is none.
    var status: Int? {
        guard text.hasPrefix("HTTP/1.") else { return nil }
        return text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) }
    }

    func header(_ name: String) -> String? {
        let head = text.components(separatedBy: "\r\n\r\n")[0]
        return head.components(separatedBy: "\r\n").first {
            $0.lowercased().hasPrefix(name.lowercased() + ":")
        }
        .map { String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces) }
    }

    /// The body, without the sizes of its chunks.
    var body: String {
        let body = text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
        guard header("Transfer-Encoding") == "chunked" else { return body }
        var rest = Array(body.utf8)[...]
        var bytes: [UInt8] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0 else {
                break
            }
            bytes += rest.dropFirst(end + 2 - rest.startIndex).prefix(size)
            rest = rest.dropFirst(end + 2 - rest.startIndex + size + 2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

}

extension StudioProcess {
    /// The headers of the page's own requests.
    var pageHeaders: [(String, String)] {
        [("Host", host), ("Cookie", cookie), ("Sec-Fetch-Site", "same-origin")]
    }

    /// Sends a request on a connection of its own; the server is asked to close it.
    ///
    /// - Parameter target: The target below the random path.
    func send(_ method: String, _ target: String, _ headers: [(String, String)], body: String = "")
        -> RawResponse
    {
        sendOutside(method, path + target.dropFirst(), headers, body: body)
    }

    /// Sends a request for any path.
    func sendOutside(
        _ method: String, _ target: String, _ headers: [(String, String)], body: String = ""
    ) -> RawResponse {
        let length = body.isEmpty ? [] : [("Content-Length", "\(body.utf8.count)")]
        let lines = (headers + length + [("Connection", "close")]).map { "\($0.0): \($0.1)\r\n" }
        return sendRaw("\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n\(body)")
    }

    /// Sends a text on a connection of its own, and returns all that comes back.
    func sendRaw(_ text: String) -> RawResponse {
        guard let client = RawClient(port: port) else { return RawResponse("") }
        client.send(text.utf8)
        return RawResponse(client.receiveAll())
    }

    /// Returns the page's own headers with some replaced; nil removes one.
    func headers(_ changes: [String: String?]) -> [(String, String)] {
        let kept = pageHeaders.filter { !changes.keys.contains($0.0) }
        return kept + changes.compactMap { name, value in value.map { (name, $0) } }
    }
}
