#if Postgres
import CPostgres
import ContextCore
import Foundation

/// Connects to one of the servers that a configuration names.
struct Connecting {
    let configuration: PostgresConfiguration
    /// What the connection calls itself.
    let name: String

    /// Tries the servers in their order, each as long as the configuration says.
    ///
    /// One that just starts or stops, or that has no room, is tried again until the time is over.
    func connect() throws(StoreError) -> OpaquePointer {
        let deadline = ContinuousClock.now + configuration.timeout
        var backoff = Backoff()
        while true {
            do throws(StoreError) {
                return try tryAll()
            } catch {
                let pause = backoff.next()
                guard error.isPassing, ContinuousClock.now + pause < deadline else { throw error }
                Thread.sleep(pause)
            }
        }
    }

    private func tryAll() throws(StoreError) -> OpaquePointer {
        var first: StoreError?
        for (host, target) in candidates {
            do throws(StoreError) {
                return try connect(to: host, target)
            } catch {
                // A server that answered and said no has more to tell than one that isn't there.
                if first == nil || first?.code == .connectionLost { first = error }
            }
        }
        throw first ?? .lostConnection("")
    }

    /// The servers, and what each has to be.
    private var candidates: [(StoreURL.Host?, PostgresConfiguration.Target)] {
        var hosts: [StoreURL.Host?] = configuration.hosts.isEmpty ? [nil] : configuration.hosts
        if configuration.sharesHosts { hosts.shuffle() }
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
                .inputOutput, "There is not enough memory.", remedy: "Free some memory and try again.")
        }
        do throws(StoreError) {
            // The words of a server that refuses then begin with its SQLSTATE, which libpq gives in no other way.
            PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
            try finish(handle)
            PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
            try checkEncoding(handle)
        } catch {
            PQfinish(handle)
            throw error
        }
        return handle
    }

    /// Does what libpq asks for, until the connection is there or the time is over.
    private func finish(_ handle: OpaquePointer) throws(StoreError) {
        let timeout = configuration.connectTimeout ?? configuration.timeout
        let deadline = ContinuousClock.now + timeout
        var wanted = PGRES_POLLING_WRITING
        while wanted != PGRES_POLLING_OK {
            guard wanted != PGRES_POLLING_FAILED, PQstatus(handle) != CONNECTION_BAD else {
                throw ConnectionRefusal(
                    String(cString: PQerrorMessage(handle)),
                    asksForPassword: PQconnectionNeedsPassword(handle) == 1
                ).error
            }
            let events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero, Socket(PQsocket(handle)).wait(for: Int16(events), left) else {
                throw ConnectionRefusal("The server has not answered in \(timeout).").error
            }
            wanted = PQconnectPoll(handle)
        }
    }

    private func checkEncoding(_ handle: OpaquePointer) throws(StoreError) {
        guard let encoding = PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }),
            encoding != "UTF8"
        else { return }
        throw StoreError(
            .configuration, "The database keeps its texts in another encoding than UTF-8.",
            remedy: "Make a database WITH ENCODING 'UTF8', and name it in the URL.",
            detail: "Its encoding is \(encoding).")
    }
}

extension StoreError {
    /// Whether a server that refused may soon let the program in.
    fileprivate var isPassing: Bool {
        guard let detail else { return false }
        return ["57P03", "53300"].contains { detail.hasPrefix("SQLSTATE \($0)") }
    }
}

extension Thread {
    static func sleep(_ pause: Duration) { sleep(forTimeInterval: pause / .seconds(1)) }
}
#endif
