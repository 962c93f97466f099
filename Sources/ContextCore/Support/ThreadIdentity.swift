import Foundation

/// Tells threads apart for as long as they run.
struct ThreadIdentity: PlainlyHashed, Sendable {
    private let number: UInt

    var hashBits: UInt { number }

    static var current: ThreadIdentity {
        #if canImport(Darwin)
        ThreadIdentity(number: UInt(bitPattern: pthread_self()))
        #else
        ThreadIdentity(number: UInt(pthread_self()))
        #endif
    }
}
