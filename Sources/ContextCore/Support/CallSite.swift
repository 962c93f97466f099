#if canImport(Runtime)
import Runtime
#endif

/// Finds out where in the program a library call was made.
enum CallSite {
    /// The first place on the stack that is outside this library.
    static func current() -> String {
        #if canImport(Runtime)
        guard let trace = try? Backtrace.capture(algorithm: .auto, limit: 40).symbolicated() else {
            return "an unknown place"
        }
        for frame in trace.frames {
            guard let symbol = frame.symbol, !symbol.rawName.contains("11ContextCore") else { continue }
            if let location = symbol.sourceLocation {
                return "\(location.path):\(location.line) in \(symbol.name)"
            }
            return symbol.name
        }
        #endif
        return "an unknown place"
    }
}
