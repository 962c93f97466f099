import Foundation

/// The identity of a running thread.
struct ThreadIdentity: FastHashable, Sendable {
    private let number: UInt

    var hashBits: UInt { number }

    static var current: ThreadIdentity {
        #if canImport(Darwin) || canImport(Musl)
        ThreadIdentity(number: UInt(bitPattern: pthread_self()))
        #else
        ThreadIdentity(number: UInt(pthread_self()))
        #endif
    }
}
