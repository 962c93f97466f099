import MacroExpansion
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The compiler plug-in for the macros, which communicates with the compiler over standard input and output.
///
/// The implementations are in `MacroExpansion`. If they were here, tests of them would depend on a plug-in, and SwiftPM would compile
/// all dependencies of the tests a second time, for the host.
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

/// An error that the compiler requested a macro that the plug-in doesn't have.
struct UnknownMacro: Error {
    let name: String
}
