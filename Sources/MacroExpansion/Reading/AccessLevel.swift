import SwiftSyntax

/// An access level.
enum AccessLevel: Int, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    static func < (left: AccessLevel, right: AccessLevel) -> Bool { left.rawValue < right.rawValue }

    /// Makes the level from a declaration's modifiers, ignoring setter levels such as `private(set)`; nil if there is none.
    init?(_ modifiers: DeclModifierListSyntax) {
        let levels = modifiers.filter { $0.detail == nil }.compactMap { Self.levels[$0.name.text] }
        guard let level = levels.first else { return nil }
        self = level
    }

    private static let levels: [String: AccessLevel] = [
        "private": .private, "fileprivate": .fileprivate, "internal": .internal, "package": .package,
        "public": .public, "open": .open,
    ]

    /// The modifier of a member that is visible wherever the type is.
    var memberModifier: String {
        switch self {
        case .private, .fileprivate, .internal: ""
        case .package: "package "
        case .public, .open: "public "
        }
    }

    /// The modifier of a member with exactly this level.
    var exactModifier: String {
        switch self {
        case .private: "private "
        case .fileprivate: "fileprivate "
        case .internal, .package, .public, .open: memberModifier
        }
    }

    /// Makes the effective level of a declaration: its own modifier, else that of an enclosing extension, else internal.
    init(of modifiers: DeclModifierListSyntax, in enclosing: Syntax?) {
        let inherited = enclosing?.as(ExtensionDeclSyntax.self).flatMap { AccessLevel($0.modifiers) }
        self = AccessLevel(modifiers) ?? inherited ?? .internal
    }

    /// The modifier of an override in a class of this level: `open` for an open class, because subclasses override the member again.
    var overrideModifier: String {
        self == .open ? "open " : memberModifier
    }
}

extension Syntax {
    /// Whether an enclosing declaration is visible to other modules; extensions count as visible.
    var isExported: Bool {
        guard let group = asProtocol((any DeclGroupSyntax).self), !self.is(ExtensionDeclSyntax.self) else {
            return self.is(ExtensionDeclSyntax.self)
        }
        return (AccessLevel(group.modifiers) ?? .internal) >= .public
    }
}
