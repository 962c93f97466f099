#if Postgres
import CPostgres
import ContextCore
import Foundation

/// Connects to one of the servers of a configuration.
struct ConnectionAttempt {
    let configuration: PostgresConfiguration
    /// The application name of the connection.
    let name: String

    /// Tries to connect to the servers in their order, each within the configuration's time limit.
    ///
    /// If a server is starting up or shutting down, or has too many connections, it retries until the time limit.
    func connect() throws(StoreError) -> OpaquePointer {
        let deadline = ContinuousClock.now + configuration.timeout
        var backoff = Backoff()
        while true {
            do throws(StoreError) {
                return try tryCandidates()
            } catch {
                let pause = backoff.nextPause()
                guard error.isTemporary, ContinuousClock.now + pause < deadline else { throw error }
                Thread.sleep(pause)
            }
        }
    }

    private func tryCandidates() throws(StoreError) -> OpaquePointer {
        var first: StoreError?
        for (host, target) in candidates {
            do throws(StoreError) {
                return try connect(to: host, target)
            } catch {
                // The error of a server that rejected the connection says more than that of an unreachable one.
                if first == nil || first?.code == .connectionLost { first = error }
            }
        }
        throw first ?? .lostConnectionError("")
    }

    /// The servers to try, each with its required target.
    private var candidates: [(StoreURL.Host?, PostgresConfiguration.Target)] {
        var hosts: [StoreURL.Host?] = configuration.hosts.isEmpty ? [nil] : configuration.hosts
        if configuration.balancesHosts { hosts.shuffle() }
        let target = configuration.target
        if target != .preferStandby { return hosts.map { ($0, target) } }
        return hosts.map { ($0, .standby) } + hosts.map { ($0, .any) }
    }

    private func connect(
        to host: StoreURL.Host?, _ target: PostgresConfiguration.Target
    ) throws(StoreError) -> OpaquePointer {
        let settings = ConnectionSettings(configuration, host: host, name: name, target: target)
        guard let handle = settings.start() else {
            throw StoreError(
                .inputOutput, "There is not enough memory for a connection.",
                remedy: "Free some memory and try again.")
        }
        do throws(StoreError) {
            // In this format the message contains the SQLSTATE, which libpq doesn't return otherwise while connecting.
            PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
            try waitUntilConnected(handle)
            PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
            try checkEncoding(handle)
        } catch {
            PQfinish(handle)
            throw error
        }
        return handle
    }

    /// Polls libpq until the connection is established, and throws if it fails or the time limit passes.
    private func waitUntilConnected(_ handle: OpaquePointer) throws(StoreError) {
        let timeout = configuration.connectTimeout ?? configuration.timeout
        let deadline = ContinuousClock.now + timeout
        var wanted = PGRES_POLLING_WRITING
        while wanted != PGRES_POLLING_OK {
            guard wanted != PGRES_POLLING_FAILED, PQstatus(handle) != CONNECTION_BAD else {
                throw ConnectionFailure(
                    String(cString: PQerrorMessage(handle)),
                    asksForPassword: PQconnectionNeedsPassword(handle) == 1
                ).error
            }
            let events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero, Socket(PQsocket(handle)).wait(for: Int16(events), left) else {
                throw ConnectionFailure("The server has not answered in \(timeout).").error
            }
            wanted = PQconnectPoll(handle)
        }
    }

    private func checkEncoding(_ handle: OpaquePointer) throws(StoreError) {
        guard let encoding = PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }),
            encoding != "UTF8"
        else { return }
        throw StoreError(
            .configuration, "The encoding of the database isn't UTF-8.",
            remedy: "Create a database WITH ENCODING 'UTF8', and use it in the URL.",
            detail: "Its encoding is \(encoding).")
    }
}

extension StoreError {
    /// Whether the error is temporary: the server is starting up or shutting down, or has too many connections.
    fileprivate var isTemporary: Bool {
        guard let detail else { return false }
        return ["57P03", "53300"].contains { detail.hasPrefix("SQLSTATE \($0)") }
    }
}

extension Thread {
    static func sleep(_ pause: Duration) { sleep(forTimeInterval: pause / .seconds(1)) }
}
#endif
