#if Postgres
import ContextCore
import Foundation
import Testing

/// Expects a store error with a code, with a remedy, and without a password.
@discardableResult
func expectError(
    _ code: StoreError.Code, _ comment: Comment = "", at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) -> StoreError? {
    let error = #expect(throws: StoreError.self, comment, sourceLocation: location) { try body() }
    guard let error else { return nil }
    #expect(error.code == code, "\(comment) \(String(reflecting: error))", sourceLocation: location)
    expectDecency(of: error, at: location)
    return error
}

/// Expects an error with a remedy, and without a password.
func expectDecency(of error: StoreError, at location: SourceLocation = #_sourceLocation) {
    #expect(error.remedy != nil, "\(String(reflecting: error))", sourceLocation: location)
    guard let password = TestServer.secret else { return }
    var text = String(reflecting: error)
    dump(error, to: &text)
    #expect(!text.contains(password), "an error contains the password", sourceLocation: location)
}

/// The amount of work that a test does, which the environment can raise.
enum Effort {
    static func count(_ variable: String, otherwise usual: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? usual
    }
}

/// Waits until a condition holds; returns false after a timeout.
func eventually(within limit: Duration = .seconds(60), _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if try condition() { return true }
        Thread.sleep(forTimeInterval: 0.005)
    }
    return try condition()
}
#endif
