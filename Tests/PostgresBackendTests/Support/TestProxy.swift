#if Postgres
import ContextCore
import Foundation

/// A proxy between a store and its server that injures connections by order.
///
/// A thread takes connections, and each connection has a thread of its own.
///
/// State: the order, what was seen, and the sockets; guarded by one lock.
final class TestProxy: Sendable {
    /// What is done to a connection; each order is carried out once, except those that last.
    enum Fault: Sendable, Equatable {
        /// A COMMIT never reaches the server, and the connection is cut.
        case cutBeforeCommit
        /// A COMMIT reaches the server, and the connection is cut before the server can have answered.
        case cutAfterCommit
        /// The server answers to a COMMIT, and the connection is cut instead of letting the answer through.
        case cutCommitAnswer
        /// The answer to a COMMIT is swallowed, and nothing more comes through, but the connection seems to be there.
        case swallowCommitAnswer
        /// The connection is cut when so many bytes of the server have come through.
        case cut(afterBytes: Int)
        /// The connection is cut when so many orders have come through to the server, and one more comes.
        case cutAfterOrders(Int)
        /// Nothing comes through any more, but the connection seems to be there.
        case silence
        /// What a program sends comes through up to the end of this text, and nothing more.
        case silenceAfter(String)
        /// The first rows that flow to a table come through, and nothing more.
        case silenceAmongRows
        /// Each answer comes so late. It lasts until another order comes.
        case delay(Duration)
        /// Answers come through byte by byte. It lasts until another order comes.
        case trickle
        /// Bytes of rows come through changed, but for the lengths of messages. It lasts until another order comes.
        case damage(seed: UInt64)
    }

    private struct State {
        var fault: Fault?
        var faultCount = 0
        var isClosed = false
        var refuses = false
        /// Counts up when all connections are to be cut.
        var cuts = 0
        /// The ports by which the server knows the connections that are open.
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

    /// How many orders were carried out.
    var faultCount: Int { state.withLock { $0.faultCount } }

    /// The ports by which the server knows the connections that are open.
    var ports: Set<UInt16> { state.withLock { $0.ports } }

    /// How many connections there have been.
    var connectionCount: Int { state.withLock { $0.connectionCount } }

    func cutAll() { state.withLock { $0.cuts += 1 } }

    /// Lets nobody in, or everybody again.
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
        // Where one side has ended by itself, the other still gets what was on its way.
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
