#if Postgres
import Foundation

/// The few calls of the system that a proxy needs.
enum TestSocket {
    /// Held while a process is started, and while there is a socket that it would inherit.
    static let inheritance = NSLock()

    struct Failure: Error { let call: String }

    /// Listens on a free port of this machine.
    static func listen() throws -> (socket: Int32, port: Int) {
        let listener = make()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        guard bound(listener, &address) == 0, Glibc.listen(listener, 64) == 0 else {
            throw Failure(call: "listen")
        }
        return (listener, Int(localPort(listener)))
    }

    /// Takes a connection; nil where there is none.
    static func accept(_ listener: Int32) -> Int32? {
        inheritance.lock()
        defer { inheritance.unlock() }
        let number = Glibc.accept(listener, nil, nil)
        if number < 0 { return nil }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return number
    }

    /// Connects to a host, which is a name or an address of either family; nil where none of its addresses answers.
    static func connect(_ host: String, _ port: Int) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let candidate = entry?.pointee else { break }
            let number = make(candidate.ai_family)
            if Glibc.connect(number, candidate.ai_addr, candidate.ai_addrlen) == 0 { return number }
            close(number)
        }
        return nil
    }

    private static func make(_ family: Int32 = AF_INET) -> Int32 {
        // Kept from processes that are started meanwhile: what they hold open isn't cut.
        let number = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return number
    }

    private static func bound(_ number: Int32, _ address: inout sockaddr_in) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The port of this end.
    static func localPort(_ number: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
        }
        // At the same place in an address of either family.
        return UInt16(bigEndian: address.sin6_port)
    }

    /// Which of some sockets have something to read, or have ended.
    static func wait(_ numbers: [Int32], _ milliseconds: Int32) -> [Bool] {
        var entries = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        return entries.map { $0.revents != 0 }
    }

    /// What there is to read; nil at the end.
    static func read(_ number: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(number, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    static func write(_ bytes: [UInt8], to number: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Ends a connection when all that was written has come through.
    static func end(_ number: Int32) { close(number) }

    /// Ends a connection at once, without a word to the other side's program.
    static func cut(_ number: Int32) {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        close(number)
    }
}
#endif
