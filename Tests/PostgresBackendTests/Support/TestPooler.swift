#if Postgres
import ContextCore
import Foundation

/// A proxy that acts like a pooler which gives each transaction another session.
///
/// One thread accepts connections, and each connection has a thread.
///
/// State: whether it is closed; guarded by a lock.
final class TestPooler: Sendable {
    let port: Int
    private let listener: Int32
    private let server: (host: String, port: Int)
    private let forgets: Bool
    private let isClosed = Guarded(false)

    init(to host: String, port serverPort: Int, forgets: Bool) throws {
        server = (host, serverPort)
        self.forgets = forgets
        (listener, port) = try TestSocket.listen()
        Thread.detachNewThread { [self] in acceptAll() }
    }

    func close() { isClosed.withLock { $0 = true } }

    private func acceptAll() {
        while !isClosed.withLock({ $0 }) {
            guard TestSocket.wait([listener], 20)[0], let client = TestSocket.accept(listener) else {
                continue
            }
            guard let server = TestSocket.connect(server.host, server.port) else {
                TestSocket.cut(client)
                continue
            }
            Thread.detachNewThread { [self] in relay(client, server) }
        }
        TestSocket.cut(listener)
    }

    private func relay(_ client: Int32, _ server: Int32) {
        var relay = PoolerRelay(forgets: forgets)
        var isOpen = true
        while isOpen, !isClosed.withLock({ $0 }) {
            let ready = TestSocket.wait([client, server], 10)
            for (isReady, source) in zip(ready, [client, server]) where isReady && isOpen {
                guard let bytes = TestSocket.read(source) else {
                    isOpen = false
                    continue
                }
                let passing = source == client ? relay.order(bytes) : relay.answer(bytes)
                isOpen =
                    TestSocket.write(passing.toServer, to: server)
                    && TestSocket.write(passing.toClient, to: client)
            }
        }
        TestSocket.end(client)
        TestSocket.cut(server)
    }
}
#endif
