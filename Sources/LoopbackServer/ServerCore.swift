#if Studio
internal import CMicrohttpd
import Foundation
import Synchronization

/// The handler of a server, and the connections and streams that are open.
///
/// State: `clock`, `streams` and `isStopping`, each guarded by its mutex.
final class ServerCore: Sendable {
    private let handler: any HTTPHandler
    private let limits: ServerLimits
    private let clock: Mutex<ConnectionClock>
    private let streams = Mutex<[Int: any ResponseStream]>([:])
    private let nextStream = Atomic(0)
    private let isStopping = Mutex(false)

    init(handler: any HTTPHandler, limits: ServerLimits) {
        self.handler = handler
        self.limits = limits
        clock = Mutex(ConnectionClock(limits: limits))
    }

    static func object(_ pointer: UnsafeMutableRawPointer?) -> ServerCore? {
        // Unretained: the server owns the core, and stops the library before it releases it.
        pointer.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Connections

    func connectionChanged(_ connection: OpaquePointer, isOpen: Bool) {
        let identifier = Int(bitPattern: connection)
        guard isOpen else { return clock.withLock { $0.close(identifier) } }
        let socket = microhttpd_socket(connection)
        clock.withLock { $0.open(identifier, socket: socket, at: .now) }
    }

    func responseSent(_ connection: OpaquePointer) {
        clock.withLock { $0.responseSent(Int(bitPattern: connection), at: .now) }
    }

    /// Starts a thread that closes the connections whose requests don't arrive in time, until the server stops.
    func startClosingLateConnections() {
        Thread { [self] in
            while !isStopping.withLock({ $0 }) {
                // In the lock: the library closes a socket only after it has reported the connection as closed, which waits for the lock.
                clock.withLock { clock in
                    for socket in clock.takeLateSockets(at: .now) { shutdown(socket, Int32(SHUT_RDWR)) }
                }
                Thread.sleep(forTimeInterval: 0.5)
            }
        }.start()
    }

    /// Cancels all streams, and those that begin later, and ends the waits of requests.
    func stop() {
        isStopping.withLock { $0 = true }
        handler.stop()
        for stream in streams.withLock({ Array($0.values) }) { stream.cancel() }
    }

    // MARK: Requests

    /// Handles a call of the library: the first with the head, one for each part of the body, and one for its end.
    func handle(
        _ exchange: Exchange, _ connection: OpaquePointer, _ method: String, _ part: UnsafeRawBufferPointer
    ) -> Bool {
        guard let head = exchange.head else { return beginRequest(exchange, connection, method) }
        if exchange.isAnswered { return true }
        guard part.isEmpty else {
            exchange.body += part
            // The library accepts no response during the body, so the connection ends. Only a client that lies about the length gets here.
            return exchange.body.count <= limits.bodySize
        }
        clock.withLock { $0.requestArrived(Int(bitPattern: connection)) }
        let request = HTTPRequest(head: head, body: exchange.body)
        return answer(exchange, connection, handler.response(to: request))
    }

    private func beginRequest(_ exchange: Exchange, _ connection: OpaquePointer, _ method: String) -> Bool {
        guard let target = RequestTarget(exchange.target) else {
            return refuse(exchange, connection, handler.response(to: .invalidTarget))
        }
        let head = HTTPRequestHead(method: method, target: target, headers: Self.headers(of: connection))
        exchange.head = head
        if let refusal = handler.refusal(of: head) { return refuse(exchange, connection, refusal) }
        let length = head.values(of: "Content-Length").first.map { Int($0) ?? .max } ?? 0
        if length > limits.bodySize {
            return refuse(exchange, connection, handler.response(to: .bodyTooLarge))
        }
        return true
    }

    /// Answers without reading the rest, and closes the connection.
    private func refuse(
        _ exchange: Exchange, _ connection: OpaquePointer, _ response: HTTPResponse
    ) -> Bool {
        var response = response
        response.closesConnection = true
        return answer(exchange, connection, response)
    }

    private static func headers(of connection: OpaquePointer) -> [HTTPRequestHead.Item] {
        var headers: [HTTPRequestHead.Item] = []
        withUnsafeMutablePointer(to: &headers) { headers in
            // The library calls the closure only within this call, with the pointer to the list.
            microhttpd_each_header(
                connection,
                { list, name, value in
                    guard let list, let name, let value else { return }
                    // The list above.
                    list.assumingMemoryBound(to: [HTTPRequestHead.Item].self).pointee.append(
                        .init(String(cString: name), String(cString: value)))
                }, headers)
        }
        return headers
    }

    // MARK: Responses

    private func answer(
        _ exchange: Exchange, _ connection: OpaquePointer, _ response: HTTPResponse
    ) -> Bool {
        exchange.isAnswered = true
        guard let native = native(response.body, connection) else { return false }
        defer { MHD_destroy_response(native) }
        let closing = response.closesConnection ? [HTTPRequestHead.Item("Connection", "close")] : []
        for header in response.headers + closing
        where microhttpd_add_header(native, header.name, header.value) == 0 {
            return false
        }
        return microhttpd_respond(connection, UInt32(response.status), native) == 1
    }

    /// Returns a response of the library, which the caller destroys.
    private func native(_ body: HTTPResponse.Body, _ connection: OpaquePointer) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes): return microhttpd_bytes(bytes, bytes.count)
        case .stream(let stream):
            // The time of an idle connection limits how long a client takes to read, not how long a part takes to be made.
            let seconds = UInt32(limits.nextRequestTime)
            let reader = StreamReader(
                stream, partArrived: { microhttpd_restart_timeout(connection, seconds) },
                release: register(stream))
            return microhttpd_stream(
                { reader, _, buffer, size in
                    guard let reader = StreamReader.object(reader), let buffer else {
                        return microhttpd_failure
                    }
                    return reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
                }, { StreamReader.release($0) }, reader.retainedPointer)
        }
    }

    /// Registers a stream, so that ``stop()`` cancels it; returns a closure that removes it.
    private func register(_ stream: any ResponseStream) -> @Sendable () -> Void {
        let identifier = nextStream.wrappingAdd(1, ordering: .relaxed).newValue
        streams.withLock { $0[identifier] = stream }
        if isStopping.withLock({ $0 }) { stream.cancel() }
        return { [self] in streams.withLock { $0[identifier] = nil } }
    }
}
#endif
