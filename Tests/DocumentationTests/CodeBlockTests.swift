import Testing

struct CodeBlockTests {
    @Test func `Swift blocks are found with their lines, and others are ignored`() throws {
        let text = """
            # Title
            ```swift
            let a = 1
            ```
            ```json
            ```
            - item
              ```swift
              if true {
                  print(1)
              }
              ```
            """
        let blocks = try CodeBlock.blocks(in: text, document: "A.md")
        #expect(
            blocks == [
                CodeBlock(document: "A.md", line: 3, code: "let a = 1"),
                CodeBlock(document: "A.md", line: 9, code: "if true {\n    print(1)\n}"),
            ])
    }

    @Test func `Markers belong to the next block`() throws {
        let text = """
            <!-- compile: with README.md -->
            <!-- compile: given context: ObjectContext -->
            <!-- compile: continues -->

            ```swift
            ```
            <!-- compile: separate -->
            A paragraph ends what a marker holds for.
            ```swift
            ```
            """
        let blocks = try CodeBlock.blocks(in: text, document: "A.md")
        #expect(
            blocks.map(\.markers) == [
                [.with("README.md"), .given("context: ObjectContext"), .continues], [],
            ])
    }

    @Test func `An unknown marker is an error with its place`() {
        #expect(throws: DocumentationError.self) {
            try CodeBlock.blocks(in: "\n<!-- compile: not -->", document: "A.md")
        }
    }
}
