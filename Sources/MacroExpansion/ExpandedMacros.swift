package import SwiftSyntaxMacros

/// The macros that there are.
package enum ExpandedMacros {
    /// Finds the macro that has a name in `#externalMacro`.
    package static func named(_ name: String) -> (any Macro.Type)? {
        switch name {
        case "EntityMacro": EntityMacro.self
        case "ManagedPropertyMacro": ManagedPropertyMacro.self
        case "PropertyMarkerMacro": PropertyMarkerMacro.self
        case "CompositeMacro": CompositeMacro.self
        default: nil
        }
    }
}
