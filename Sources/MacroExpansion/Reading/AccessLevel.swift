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

    /// What to write before a member that can be seen so far and no farther.
    var exactModifier: String {
        switch self {
        case .private: "private "
        case .fileprivate: "fileprivate "
        case .internal, .package, .public, .open: memberModifier
        }
    }

    /// How far members without a modifier of their own can be seen at most, where the declaration says nothing: an extension
    /// gives its own level to what stands in it.
    init(of modifiers: DeclModifierListSyntax, in surroundings: Syntax?) {
        let around = surroundings?.as(ExtensionDeclSyntax.self).flatMap { AccessLevel($0.modifiers) }
        self = AccessLevel(modifiers) ?? around ?? .internal
    }

    /// What to write before an override of such a member: subclasses of an open class override it again.
    var overrideModifier: String {
        self == .open ? "open " : memberModifier
    }
}

extension Syntax {
    /// Whether a declaration that surrounds another lets other modules see it; an extension doesn't say.
    var isExported: Bool {
        guard let group = asProtocol((any DeclGroupSyntax).self), !self.is(ExtensionDeclSyntax.self) else {
            return self.is(ExtensionDeclSyntax.self)
        }
        return (AccessLevel(group.modifiers) ?? .internal) >= .public
    }
}
