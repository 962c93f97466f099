#if Postgres
import Foundation

/// The system calls of a proxy.
enum TestSocket {
    /// Locked while a process is started, and while a socket exists that the process would inherit.
    static let inheritance = NSLock()

    struct Failure: Error { let call: String }

    /// Listens on a free port of this machine.
    static func listen() throws -> (socket: Int32, port: Int) {
        let listener = make()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        guard bound(listener, &address) == 0, Foundation.listen(listener, 64) == 0 else {
            throw Failure(call: "listen")
        }
        return (listener, Int(localPort(listener)))
    }

    /// Accepts a connection; returns nil if there is none.
    static func accept(_ listener: Int32) -> Int32? {
        inheritance.lock()
        defer { inheritance.unlock() }
        let number = Foundation.accept(listener, nil, nil)
        if number < 0 { return nil }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        ignorePipeSignal(number)
        return number
    }

    /// Connects to a host, by name or by address of either family; returns nil if none of its addresses responds.
    static func connect(_ host: String, _ port: Int) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = stream
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let candidate = entry?.pointee else { break }
            let number = make(candidate.ai_family)
            if Foundation.connect(number, candidate.ai_addr, candidate.ai_addrlen) == 0 { return number }
            close(number)
        }
        return nil
    }

    private static func make(_ family: Int32 = AF_INET) -> Int32 {
        // Not inherited by processes that are started in the meantime: a cut connection would stay open there.
        #if canImport(Darwin)
        inheritance.lock()
        let number = socket(family, stream, 0)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        inheritance.unlock()
        #else
        let number = socket(family, stream | closedOnExec, 0)
        #endif
        ignorePipeSignal(number)
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

    /// Returns the local port.
    static func localPort(_ number: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
        }
        // At the same offset in addresses of both families.
        return UInt16(bigEndian: address.sin6_port)
    }

    /// Returns which of the sockets are readable or closed.
    static func wait(_ numbers: [Int32], _ milliseconds: Int32) -> [Bool] {
        var entries = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        return entries.map { $0.revents != 0 }
    }

    /// Returns the available bytes; nil at the end.
    static func read(_ number: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(number, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    static func write(_ bytes: [UInt8], to number: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(number, $0.baseAddress, $0.count, sendFlags) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    // The constants' types differ: enumerations with Glibc, integers elsewhere.
    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let closedOnExec = Int32(SOCK_CLOEXEC.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif
    #if canImport(Musl)
    private static let closedOnExec = SOCK_CLOEXEC
    #endif

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// Makes writing to a closed connection fail instead of ending the process; elsewhere a flag of `send` does that.
    private static func ignorePipeSignal(_ number: Int32) {
        #if canImport(Darwin)
        var on: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Closes a connection after all written bytes were sent.
    static func end(_ number: Int32) { close(number) }

    /// Resets a connection at once.
    static func cut(_ number: Int32) {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        close(number)
    }
}
#endif
