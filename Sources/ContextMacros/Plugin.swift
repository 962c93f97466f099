@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Runs the macros as a compiler plug-in, over the message protocol that the compiler speaks on standard input.
@main
struct ContextMacrosPlugin: PluginProvider {
    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        throw UnknownMacro(name: typeName)
    }

    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: Self()).main()
    }
}

struct UnknownMacro: Error {
    let name: String
}
