import Foundation

/// How much a test does: little, unless the environment asks for more.
public enum Effort {
    public static func count(_ variable: String, otherwise usual: Int) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? usual
    }
}
