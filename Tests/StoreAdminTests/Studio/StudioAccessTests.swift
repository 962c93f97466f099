import LoopbackServer
import Testing

@testable import StoreAdmin

struct StudioAccessTests {
    private let access = StudioAccess()

    @Test func `The printed token opens the page again and again`() {
        #expect(access.accepts(access.token.text))
        #expect(access.accepts(access.token.text))
        #expect(!access.accepts(""))
        #expect(!access.accepts(access.changeToken.text))
        #expect(!access.accepts(StudioAccess().token.text))
    }

    @Test func `The token on a browser's command line opens the page once`() {
        let token = access.makeLaunchToken()
        #expect(!access.accepts(access.makeLaunchToken().text + "0"))
        #expect(!access.accepts(token.text), "a later token replaces it")
        let last = access.makeLaunchToken()
        #expect(access.accepts(last.text))
        #expect(!access.accepts(last.text))
        #expect(access.accepts(access.token.text))
    }

    @Test func `The token on a browser's command line expires`() {
        let now = ContinuousClock.now
        let token = access.makeLaunchToken(at: now)
        #expect(!access.accepts(token.text, at: now + .seconds(30)))
        #expect(!access.accepts(token.text, at: now))
        #expect(access.accepts(access.makeLaunchToken(at: now).text, at: now + .seconds(29)))
    }
}
