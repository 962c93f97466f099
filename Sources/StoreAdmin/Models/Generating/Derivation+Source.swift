import ContextCore

extension Derivation {
    /// The argument of `@Derived`.
    var code: String {
        switch self {
        case .lowercased(let path): ".lowercased(\(SwiftText.keyPath(path)))"
        case .canonical(let path): ".canonical(\(SwiftText.keyPath(path)))"
        case .copy(let path): ".copy(\(SwiftText.keyPath(path)))"
        case .count(let members): ".count(\(SwiftText.keyPath(members)))"
        case .sum(let members, let name):
            ".sum(\(SwiftText.keyPath(members)), \(SwiftText.keyPath(name)))"
        case .minimum(let members, let name):
            ".minimum(\(SwiftText.keyPath(members)), \(SwiftText.keyPath(name)))"
        case .maximum(let members, let name):
            ".maximum(\(SwiftText.keyPath(members)), \(SwiftText.keyPath(name)))"
        case .now: ".now"
        }
    }

    /// The documentation of the derived property.
    var comment: String {
        switch self {
        case .lowercased(let path): "/// The lower-case form of `\(path)`."
        case .canonical(let path): "/// The text of `\(path)` without case and diacritics."
        case .copy(let path): "/// A copy of `\(path)`."
        case .count(let members): "/// The number of `\(members)`."
        case .sum(let members, let name): "/// The sum of `\(name)` over `\(members)`."
        case .minimum(let members, let name): "/// The minimum of `\(name)` over `\(members)`."
        case .maximum(let members, let name): "/// The maximum of `\(name)` over `\(members)`."
        case .now: "/// The time of the last save."
        }
    }
}
