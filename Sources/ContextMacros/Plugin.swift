import MacroExpansion
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Runs the macros as a compiler plug-in, over the message protocol that the compiler speaks on standard input.
///
/// What they expand to is in `MacroExpansion`: were it here, tests of it would depend on a plug-in, and SwiftPM would compile everything
/// that any test depends on a second time, as for a tool of the build.
@main
struct ContextMacrosPlugin: PluginProvider {
    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        guard let macro = ExpandedMacros.named(typeName) else { throw UnknownMacro(name: typeName) }
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
