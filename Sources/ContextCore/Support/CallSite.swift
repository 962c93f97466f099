#if canImport(Runtime)
import Runtime
#endif

/// Finds out where in the program a library call was made.
enum CallSite {
    #if canImport(Runtime)
    /// The program's images, which are looked for once.
    ///
    /// The search reads every file that is mapped into memory, and ends the program when another thread unmaps one meanwhile, as
    /// SQLite does when it closes a store.
    private static let images = ImageMap.capture()
    #endif

    /// Looks for the program's images, before there can be a store that maps files.
    static func prepare() {
        #if canImport(Runtime)
        _ = images.count
        #endif
    }

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
