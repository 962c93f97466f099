/// A module of blocks that are compiled together: those of a document, or a separate one.
struct DocumentModule: Equatable {
    let name: String
    var source: String

    /// Makes the modules of a document: one for its blocks together, and one for each separate block.
    static func modules(of blocks: [CodeBlock], named name: String) -> [DocumentModule] {
        let blocks = blocks.filter {
            $0.manifestPart == nil && $0.containingFile == nil
                && ($0.isBorrowed || !$0.markers.contains(.file))
        }
        let together = blocks.filter { !$0.markers.contains(.separate) }
        let alone = blocks.filter { $0.markers.contains(.separate) }
        let modules = [together].filter { !$0.isEmpty } + alone.map { [$0] }
        return modules.enumerated().map { number, blocks in
            DocumentModule(name: number == 0 ? name : "\(name)_\(number)", blocks: blocks)
        }
    }

    /// Puts imports and declarations at the top level, and the statements of each block into a function.
    ///
    /// - Parameter isOnMainActor: Whether the functions are isolated to the main actor.
    init(
        name: String, blocks: [CodeBlock], imports: [String] = DocumentationPackage.modules,
        isOnMainActor: Bool = false
    ) {
        self.name = name
        var header = Set(imports.map { "import \($0)" })
        var declarations = ""
        var functions = ""
        for (number, block) in blocks.enumerated() {
            let parts = CodeParts(block)
            for piece in parts.declarations { declarations += Self.placed(piece, in: block.document) }
            if block.isBorrowed { continue }
            header.formUnion(parts.imports)
            let statements = parts.statements.map { Self.placed($0, in: block.document) }.joined()
            if block.markers.contains(.continues), functions.hasSuffix("}\n") {
                functions = functions.dropLast(2) + statements + "}\n"
            } else if !statements.isEmpty {
                // Blocks of several documents may have the same line number.
                let function =
                    isOnMainActor ? "@MainActor func block\(block.line)_\(number)" : "func block\(block.line)"
                functions += "\(function)(\(Self.parameters(block))) async throws {\n\(statements)}\n"
            }
        }
        source = header.sorted().joined(separator: "\n") + "\n" + declarations + functions
    }

    private static func parameters(_ block: CodeBlock) -> String {
        block.markers.compactMap { if case .given(let values) = $0 { values } else { nil } }.joined(
            separator: ", ")
    }

    /// Prefixes code with a line directive, so that the compiler reports the document's lines.
    private static func placed(_ piece: CodeParts.Piece, in document: String) -> String {
        "#sourceLocation(file: \"\(document)\", line: \(piece.line))\n\(piece.code)\n#sourceLocation()\n"
    }
}
