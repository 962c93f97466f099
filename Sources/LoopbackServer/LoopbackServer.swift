#if Studio
internal import CMicrohttpd
import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1, over libmicrohttpd.
///
/// Each connection has a thread of the library, on which the handler runs, so it may block. State: what ``ServerCore`` guards.
package final class LoopbackServer: Sendable {
    /// The error of a server that can't be started.
    package struct StartError: Error, Sendable {
        /// The system's message, such as "Address already in use".
        package let reason: String
    }

    /// The port that the server listens on.
    package let port: Int
    // nonisolated(unsafe): set once by the initializer; libmicrohttpd may be called with it on any thread.
    nonisolated(unsafe) private let server: UnsafeMutablePointer<microhttpd_server>
    private let core: ServerCore
    private let isStopped = Atomic(false)

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - makeHandler: Returns the handler for a server on the given port.
    package init(
        port: Int, limits: ServerLimits = ServerLimits(), makeHandler: (Int) -> any HTTPHandler
    ) throws(StartError) {
        let socket = microhttpd_listen(UInt16(clamping: port))
        guard socket >= 0 else { throw StartError(reason: String(cString: strerror(errno))) }
        let bound = Int(microhttpd_port(socket))
        let core = ServerCore(handler: makeHandler(bound), limits: limits)
        let settings = microhttpd_limits(
            connections: UInt32(limits.connectionCount), idle_seconds: UInt32(limits.nextRequestTime),
            header_bytes: limits.headerSize, stack_bytes: 8 << 20)
        guard let server = microhttpd_start(socket, settings, Self.callbacks(core)) else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw StartError(reason: reason)
        }
        self.port = bound
        self.core = core
        self.server = server
        core.startClosingLateConnections()
    }

    /// Ends all streams and waits of requests, waits until the running ones have their responses, and closes all connections.
    package func stop() {
        if isStopped.exchange(true, ordering: .acquiringAndReleasing) { return }
        core.stop()
        // It joins the threads of all connections, so no callback runs afterwards.
        microhttpd_stop(server)
    }

    deinit { stop() }

    private static func callbacks(_ core: ServerCore) -> microhttpd_callbacks {
        // Unretained: the server owns the core, and its deinitializer stops the library, which then calls nothing any more.
        microhttpd_callbacks(
            context: Unmanaged.passUnretained(core).toOpaque(),
            begin: { _, target in
                Exchange(target: target.map { String(cString: $0) } ?? "").retainedPointer
            },
            handle: { context, exchange, connection, method, part, size in
                guard let core = ServerCore.object(context), let connection,
                    let exchange = Exchange.object(exchange)
                else { return 0 }
                let part = UnsafeRawBufferPointer(start: part, count: size)
                let method = method.map { String(cString: $0) } ?? ""
                return core.handle(exchange, connection, method, part) ? 1 : 0
            },
            complete: { context, exchange, connection in
                if let connection { ServerCore.object(context)?.responseSent(connection) }
                Exchange.release(exchange)
            },
            change: { context, connection, isOpen in
                if let connection {
                    ServerCore.object(context)?.connectionChanged(connection, isOpen: isOpen == 1)
                }
            })
    }
}
#endif
