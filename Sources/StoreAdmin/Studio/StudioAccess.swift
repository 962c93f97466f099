import LoopbackServer
import Synchronization

/// The tokens of a running studio.
///
/// State: the token for a browser that the program starts itself, guarded by its mutex.
final class StudioAccess: Sendable {
    /// The token in the address that the program prints, and in the cookie that the address sets.
    let token = SecretToken()
    /// The random path of the page, to which the cookie is limited.
    let path = SecretToken()
    /// The token that the page sends with each change; it is in a document, which another page can't read.
    let changeToken = SecretToken()
    private let launch = Mutex<(token: SecretToken, deadline: ContinuousClock.Instant)?>(nil)

    /// Returns a token that opens the page once, and soon.
    ///
    /// Every user of a machine can read the command lines of all its processes, so the address that starts a browser must be worthless
    /// afterwards.
    func makeLaunchToken(at now: ContinuousClock.Instant = .now) -> SecretToken {
        let token = SecretToken()
        launch.withLock { $0 = (token, now + .seconds(30)) }
        return token
    }

    /// Whether the token of an address opens the page.
    func accepts(_ text: String, at now: ContinuousClock.Instant = .now) -> Bool {
        if token.matches(text) { return true }
        return launch.withLock { launch in
            guard let known = launch, known.token.matches(text) else { return false }
            launch = nil
            return now < known.deadline
        }
    }
}
