#if Postgres
import ContextCore
import Foundation

/// A proxy between a store and its server that injects faults on demand.
///
/// One thread accepts connections, and each connection has a thread.
///
/// State: the fault, the counters, and the sockets; guarded by one lock.
final class TestProxy: Sendable {
    /// A fault of a connection; each one is injected once, except for the lasting ones.
    enum Fault: Sendable, Equatable {
        /// A COMMIT doesn't reach the server, and the connection is cut.
        case cutBeforeCommit
        /// A COMMIT reaches the server, and the connection is cut before the server can have responded.
        case cutAfterCommit
        /// The server responds to a COMMIT, and the connection is cut instead of forwarding the response.
        case cutCommitAnswer
        /// The response to a COMMIT is dropped, and nothing more is forwarded, but the connection stays open.
        case swallowCommitAnswer
        /// The connection is cut after the given number of bytes from the server.
        case cut(afterBytes: Int)
        /// The connection is cut when the client sends a message after the given number of messages.
        case cutAfterOrders(Int)
        /// Nothing more is forwarded, but the connection stays open.
        case silence
        /// The client's bytes are forwarded up to the end of this text, and nothing more.
        case silenceAfter(String)
        /// The first rows of a COPY are forwarded, and nothing more.
        case silenceAmongRows
        /// Each response is delayed. Lasts until another fault is set.
        case delay(Duration)
        /// Responses are forwarded byte by byte. Lasts until another fault is set.
        case trickle
        /// Bytes of rows are changed, except for the lengths of messages. Lasts until another fault is set.
        case damage(seed: UInt64)
    }

    private struct State {
        var fault: Fault?
        var faultCount = 0
        var isClosed = false
        var refuses = false
        /// A counter that is incremented to cut all connections.
        var cuts = 0
        /// The client ports of the open connections, as the server sees them.
        var ports: Set<UInt16> = []
        var connectionCount = 0
        var onFault: (@Sendable () -> Void)?
    }

    let port: Int
    private let listener: Int32
    private let server: (host: String, port: Int)
    private let state = Guarded(State())

    init(to host: String, port serverPort: Int) throws {
        server = (host, serverPort)
        (listener, port) = try TestSocket.listen()
        Thread.detachNewThread { [self] in acceptAll() }
    }

    // MARK: Orders

    func arm(_ fault: Fault?, onFault: (@Sendable () -> Void)? = nil) {
        state.withLock {
            $0.fault = fault
            $0.onFault = onFault
        }
    }

    /// The number of injected faults.
    var faultCount: Int { state.withLock { $0.faultCount } }

    /// The client ports of the open connections, as the server sees them.
    var ports: Set<UInt16> { state.withLock { $0.ports } }

    /// The total number of connections.
    var connectionCount: Int { state.withLock { $0.connectionCount } }

    func cutAll() { state.withLock { $0.cuts += 1 } }

    /// Refuses all new connections, or accepts them again.
    func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }

    func close() { state.withLock { $0.isClosed = true } }

    // MARK: Connections

    private func acceptAll() {
        while !state.withLock({ $0.isClosed }) {
            guard TestSocket.wait([listener], 20)[0] else { continue }
            guard let client = TestSocket.accept(listener) else { continue }
            guard !state.withLock({ $0.refuses }), let server = TestSocket.connect(server.host, server.port)
            else {
                TestSocket.cut(client)
                continue
            }
            Thread.detachNewThread { [self] in relay(client, server) }
        }
        TestSocket.cut(listener)
    }

    private func relay(_ client: Int32, _ server: Int32) {
        let port = TestSocket.localPort(server)
        let cuts = state.withLock { state in
            state.ports.insert(port)
            state.connectionCount += 1
            return state.cuts
        }
        var relay = TestRelay()
        while relay.isOpen, state.withLock({ !$0.isClosed && $0.cuts == cuts }) {
            let ready = TestSocket.wait([client, server], 10)
            if relay.isSilent { continue }
            if ready[0] { pass(from: client, to: server, isAnswer: false, &relay) }
            if ready[1], relay.isOpen, !relay.isSilent {
                pass(from: server, to: client, isAnswer: true, &relay)
            }
        }
        _ = state.withLock { $0.ports.remove(port) }
        // If one side has closed the connection, the other side still gets the bytes on their way.
        relay.hasEnded ? TestSocket.end(client) : TestSocket.cut(client)
        TestSocket.cut(server)
    }

    private func pass(from source: Int32, to target: Int32, isAnswer: Bool, _ relay: inout TestRelay) {
        guard let bytes = TestSocket.read(source) else {
            relay.end()
            return
        }
        let (fault, onFault) = state.withLock { ($0.fault, $0.onFault) }
        let pieces = isAnswer ? relay.answer(bytes, fault) : relay.order(bytes, fault)
        if relay.hasCarriedOut {
            relay.hasCarriedOut = false
            onFault?()
            state.withLock {
                $0.faultCount += 1
                if $0.fault == fault { $0.fault = nil }
            }
        }
        for piece in pieces where !TestSocket.write(piece, to: target) { relay.isOpen = false }
        if isAnswer, case .delay(let time) = fault { Thread.sleep(forTimeInterval: time / .seconds(1)) }
    }
}
#endif
