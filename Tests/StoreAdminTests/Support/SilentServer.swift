import Foundation

/// A port of this machine that accepts connections and never answers.
final class SilentServer {
    struct Failure: Error {}

    let port: Int
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, length) == 0 && listen(number, 8) == 0
                    && getsockname(number, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        if !isBound { throw Failure() }
    }

    deinit { close(listener) }
}
