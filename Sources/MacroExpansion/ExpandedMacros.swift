package import SwiftSyntaxMacros

/// The macros that this module implements.
package enum ExpandedMacros {
    /// Returns the macro whose type has the given name, the argument `type` of `#externalMacro`; nil if there is none.
    package static func macroType(_ name: String) -> (any Macro.Type)? {
        switch name {
        case "EntityMacro": EntityMacro.self
        case "ManagedPropertyMacro": ManagedPropertyMacro.self
        case "PropertyMarkerMacro": PropertyMarkerMacro.self
        case "CompositeMacro": CompositeMacro.self
        default: nil
        }
    }
}
