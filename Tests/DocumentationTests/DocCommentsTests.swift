import Foundation
import Testing

struct DocCommentsTests {
    @Test func `Comments are read with their lines, and code is ignored`() throws {
        let source = """
            let fence = 1
                /// Text.
                ///
                /// ```swift
                /// if true {
                ///     print(1)
                /// }
                /// ```
            func some() {}
            """
        let blocks = try CodeBlock.blocks(in: DocComments.comments(of: source), document: "A.swift")
        #expect(blocks == [CodeBlock(document: "A.swift", line: 5, code: "if true {\n    print(1)\n}")])
    }

    @Test func `A block with declarations is a separate module, without the common ones`() throws {
        let statements = "/// ```swift\n/// print(game)\n/// ```\n"
        let declaration = "/// ```swift\n/// final class Game {}\n/// ```\n"
        let modules = try DocComments.modules(of: [
            ("A.swift", statements + "\n" + declaration), ("B.swift", statements),
        ])
        #expect(modules.map(\.name) == ["DocComments", "DocComments_2"])
        let games = modules.map { $0.source.components(separatedBy: "final class Game").count - 1 }
        #expect(games == [1, 1])
        #expect(modules[0].source.components(separatedBy: "print(game)").count == 3)
        #expect(modules[1].source.contains("final class Player"))
    }
}
