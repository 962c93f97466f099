import Testing

struct DocumentModuleTests {
    @Test func `Imports and declarations stay outside and statements go into a function`() {
        let code = """
            import Foundation

            @Entity
            final class Game: ManagedObject {
                var title: String
            }

            let store = "{"
            try await store.write("a") { context in
                func inner() {}
            }
            @MainActor func show() {
            }
            """
        let module = DocumentModule(
            name: "A", blocks: [CodeBlock(document: "A.md", line: 10, code: code)], imports: ["ContextCore"])
        #expect(
            module.source == """
                import ContextCore
                import Foundation
                #sourceLocation(file: "A.md", line: 12)
                @Entity
                final class Game: ManagedObject {
                    var title: String
                }
                #sourceLocation()
                #sourceLocation(file: "A.md", line: 21)
                @MainActor func show() {
                }
                #sourceLocation()
                func block10() async throws {
                #sourceLocation(file: "A.md", line: 17)
                let store = "{"
                try await store.write("a") { context in
                    func inner() {}
                }
                #sourceLocation()
                }

                """)
    }

    @Test func `A block that continues shares the function of the previous one`() {
        let blocks = [
            CodeBlock(document: "A.md", line: 1, code: "let a = 1", markers: [.given("b: Int")]),
            CodeBlock(document: "A.md", line: 5, code: "print(a)", markers: [.continues]),
            CodeBlock(document: "A.md", line: 9, code: "print(2)"),
        ]
        #expect(
            DocumentModule(name: "A", blocks: blocks, imports: []).source == """

                func block1(b: Int) async throws {
                #sourceLocation(file: "A.md", line: 1)
                let a = 1
                #sourceLocation()
                #sourceLocation(file: "A.md", line: 5)
                print(a)
                #sourceLocation()
                }
                func block9() async throws {
                #sourceLocation(file: "A.md", line: 9)
                print(2)
                #sourceLocation()
                }

                """)
    }

    @Test func `Attributes with nested parentheses belong to the declaration below them`() {
        let code = """
            @Entity(indexes: [.index(.descending(\\.rating), .ascending(\\.name))])
            final class Member: ManagedObject {
            }
            """
        let parts = CodeParts(CodeBlock(document: "A.md", line: 1, code: code))
        #expect(parts.declarations == [CodeParts.Piece(line: 1, code: code)])
        #expect(parts.statements.isEmpty)
    }

    @Test func `Of a borrowed block only the declarations are used`() {
        let code = "import Foundation\nstruct A {}\nprint(A())"
        let block = CodeBlock(document: "A.md", line: 1, code: code, isBorrowed: true)
        #expect(
            DocumentModule(name: "A", blocks: [block], imports: []).source == """

                #sourceLocation(file: "A.md", line: 2)
                struct A {}
                #sourceLocation()

                """)
    }

    @Test func `A separate block is a separate module`() {
        let blocks = [
            CodeBlock(document: "A.md", line: 1, code: "struct A {}"),
            CodeBlock(document: "A.md", line: 5, code: "struct A {}", markers: [.separate]),
        ]
        let modules = DocumentModule.modules(of: blocks, named: "A_md")
        #expect(modules.map(\.name) == ["A_md", "A_md_1"])
    }

    @Test func `A block that is a file of the tutorial is in no module`() throws {
        let text = "<!-- file: Sources/Chess/main.swift, at the end -->\n```swift\ncase 1:\n```\n"
        let blocks = try CodeBlock.blocks(in: text, document: "A.md")
        #expect(blocks.map(\.markers) == [[.file]])
        #expect(DocumentModule.modules(of: blocks, named: "A_md").isEmpty)
    }

    @Test func `A block that another package compiles belongs to no module`() throws {
        let text = "<!-- compile: in Tests/A.swift -->\n```swift\nstruct A {}\n```\n"
        let blocks = try CodeBlock.blocks(in: text, document: "A.md")
        #expect(blocks.map(\.containingFile) == ["Tests/A.swift"])
        #expect(DocumentModule.modules(of: blocks, named: "A_md").isEmpty)
    }

    @Test func `A document may borrow the declarations of a file`() throws {
        let text = "<!-- file: main.swift -->\n```swift\nstruct A {}\nprint(A())\n```\n"
        var block = try #require(try CodeBlock.blocks(in: text, document: "A.md").first)
        block.isBorrowed = true
        let source = try #require(DocumentModule.modules(of: [block], named: "B_md").first).source
        #expect(source.contains("struct A {}") && !source.contains("print"))
    }
}
