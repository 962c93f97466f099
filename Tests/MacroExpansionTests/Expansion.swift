import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import MacroExpansion

/// The expansion of macros in source code, as the compiler would produce it.
struct Expansion {
    /// The source with all macros expanded.
    let text: String
    /// The diagnostics, as `line:column: message`.
    let reports: [String]
    /// The source after all fix-its.
    let fixed: String

    init(_ source: String) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Games", fullFilePath: "Games.swift")])
        let macros = Self.macros
        let expanded = file.expand(
            macros: macros,
            contextGenerator: { node in
                BasicMacroExpansionContext(
                    sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
            },
            indentationWidth: .spaces(4))
        text = expanded.description.trimmed
        reports = context.diagnostics.map { diagnostic in
            let place = context.location(
                for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Games.swift")
            let converter = SourceLocationConverter(fileName: "Games.swift", tree: file)
            let location = converter.location(for: AbsolutePosition(utf8Offset: place.offset))
            return "\(location.line):\(location.column): \(diagnostic.message)"
        }
        fixed = Self.applying(context.diagnostics.flatMap(\.fixIts), to: source, in: context)
    }

    /// The macros by their names in source code, including `ManagedProperty`, which `@Entity` adds.
    private static var macros: [String: any Macro.Type] {
        var macros: [String: any Macro.Type] = [
            "Entity": EntityMacro.self, "ManagedProperty": ManagedPropertyMacro.self,
            "Composite": CompositeMacro.self,
        ]
        for kind in PropertyMarker.Kind.allCases { macros[kind.rawValue] = PropertyMarkerMacro.self }
        return macros
    }

    private static func applying(
        _ fixes: [FixIt], to source: String, in context: BasicMacroExpansionContext
    ) -> String {
        var bytes = Array(source.utf8)
        let edits = fixes.flatMap(\.changes).compactMap { change -> (Range<Int>, String)? in
            guard case .replace(let old, let new) = change else { return nil }
            let start = context.location(for: old.position, anchoredAt: old, fileName: "Games.swift").offset
            return (start..<start + old.totalLength.utf8Length, new.description)
        }
        for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            bytes.replaceSubrange(range, with: Array(text.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
