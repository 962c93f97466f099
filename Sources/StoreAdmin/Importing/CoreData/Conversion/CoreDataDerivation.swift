import ContextCore

/// Reads the expression of a derived attribute of Core Data.
enum CoreDataDerivation {
    /// Returns the derivation of an expression, such as `canonical:(name)` or `items.@count`; nil if there is no counterpart.
    ///
    /// - Parameter rename: Returns the name in the model of each property on a path.
    static func derivation(_ expression: String, rename: (String) -> String?) -> Derivation? {
        let text = expression.filter { !$0.isWhitespace }
        if text == "now()" { return .now }
        for (function, make) in functions where text.hasPrefix("\(function):(") && text.hasSuffix(")") {
            let argument = text.dropFirst(function.count + 2).dropLast()
            return isPath(argument) ? rename(String(argument)).map(make) : nil
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else { return nil }
        if parts.count == 2, parts[1] == "@count" { return rename(parts[0]).map { .count(relationship: $0) } }
        if parts.count == 3, let make = aggregates[parts[1]] {
            guard let path = rename("\(parts[0]).\(parts[2])"), let dot = path.firstIndex(of: ".") else {
                return nil
            }
            return make(String(path[..<dot]), String(path[path.index(after: dot)...]))
        }
        return isPath(text[...]) ? rename(text).map { .copy(path: $0) } : nil
    }

    private static let functions: [(String, @Sendable (String) -> Derivation)] = [
        ("canonical", { .canonical(path: $0) }), ("lowercase", { .lowercased(path: $0) }),
    ]

    private static let aggregates: [String: @Sendable (String, String) -> Derivation] = [
        "@sum": { .sum(relationship: $0, attribute: $1) },
        "@min": { .minimum(relationship: $0, attribute: $1) },
        "@max": { .maximum(relationship: $0, attribute: $1) },
    ]

    private static func isPath(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    }
}
