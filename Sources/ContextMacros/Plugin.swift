import MacroExpansion
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The compiler plug-in for the macros, which communicates with the compiler over standard input and output.
///
/// The implementations are in `MacroExpansion`. If they were in the plug-in, their tests would depend on it, and SwiftPM would compile all
/// dependencies of the tests a second time, for the host.
@main
struct ContextMacrosPlugin: PluginProvider {
    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        guard let macro = ExpandedMacros.macroType(typeName) else { throw UnknownMacro(name: typeName) }
        return macro
    }

    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: Self()).main()
    }
}

/// The error that is thrown if the compiler requests a macro that the plug-in doesn't have.
struct UnknownMacro: Error {
    let name: String
}
