import Foundation

/// The amount of work that a test does, which the environment can raise.
public enum Effort {
    public static func count(_ variable: String, otherwise usual: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? usual
    }
}
