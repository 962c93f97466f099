@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Runs the macros as a compiler plug-in, over the message protocol that the compiler speaks on standard input.
@main
struct ContextMacrosPlugin: PluginProvider {
    /// The macros by the names that `#externalMacro` gives them.
    static var macros: [String: any Macro.Type] {
        [
            "EntityMacro": EntityMacro.self,
            "ManagedPropertyMacro": ManagedPropertyMacro.self,
            "PropertyMarkerMacro": PropertyMarkerMacro.self,
            "CompositeMacro": CompositeMacro.self,
        ]
    }

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        guard let macro = Self.macros[typeName] else { throw UnknownMacro(name: typeName) }
        return macro
    }

    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: Self()).main()
    }
}

/// Says that the compiler asked for a macro that this plug-in doesn't have.
struct UnknownMacro: Error {
    let name: String
}
