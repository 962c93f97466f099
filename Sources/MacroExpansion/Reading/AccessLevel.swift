import SwiftSyntax

/// An access level of Swift, in ascending order.
enum AccessLevel: Int, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    static func < (left: AccessLevel, right: AccessLevel) -> Bool { left.rawValue < right.rawValue }

    /// Creates the level of a declaration's modifiers, without setter levels such as `private(set)`; nil if they specify none.
    init?(_ modifiers: DeclModifierListSyntax) {
        let levels = modifiers.filter { $0.detail == nil }.compactMap { Self.levels[$0.name.text] }
        guard let level = levels.first else { return nil }
        self = level
    }

    private static let levels: [String: AccessLevel] = [
        "private": .private, "fileprivate": .fileprivate, "internal": .internal, "package": .package,
        "public": .public, "open": .open,
    ]

    /// The modifier that makes a member as visible as its type.
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

    /// Creates the effective level of a declaration: that of its own modifiers, else that of an enclosing extension, else internal.
    init(of modifiers: DeclModifierListSyntax, in enclosing: Syntax?) {
        let inherited = enclosing?.as(ExtensionDeclSyntax.self).flatMap { AccessLevel($0.modifiers) }
        self = AccessLevel(modifiers) ?? inherited ?? .internal
    }

    /// The modifier of an override in a class of this level: `open` in an open class, since its subclasses override the member too.
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
