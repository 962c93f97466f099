#if canImport(Runtime)
import Runtime
#endif

/// Finds out where in the program a library call was made.
enum CallSite {
    #if canImport(Runtime)
    /// The program's images.
    ///
    /// They are looked for once, and not at each call: the search reads every file that is mapped into memory, and ends the program
    /// when another thread unmaps one meanwhile, as SQLite does when it closes a store.
    private static let images = ImageMap.capture()
    #endif

    /// The first place on the stack that is outside this library.
    static func current() -> String {
        #if canImport(Runtime)
        let captured = try? Backtrace.capture(algorithm: .auto, limit: 40, images: images)
        guard let trace = captured?.symbolicated(with: images) else {
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
