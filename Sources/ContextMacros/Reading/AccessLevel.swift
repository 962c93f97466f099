import SwiftSyntax

/// How far a declaration can be seen.
enum AccessLevel: Int, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    static func < (left: AccessLevel, right: AccessLevel) -> Bool { left.rawValue < right.rawValue }

    /// Reads the level among a declaration's modifiers; `private(set)` isn't one.
    init?(_ modifiers: DeclModifierListSyntax) {
        let levels = modifiers.filter { $0.detail == nil }.compactMap { Self.levels[$0.name.text] }
        guard let level = levels.first else { return nil }
        self = level
    }

    private static let levels: [String: AccessLevel] = [
        "private": .private, "fileprivate": .fileprivate, "internal": .internal, "package": .package,
        "public": .public, "open": .open,
    ]

    /// What to write before a member that everyone can use who can use the type.
    var memberModifier: String {
        switch self {
        case .private, .fileprivate, .internal: ""
        case .package: "package "
        case .public, .open: "public "
        }
    }

    /// What to write before an override of such a member: subclasses of an open class override it again.
    var overrideModifier: String {
        self == .open ? "open " : memberModifier
    }
}
