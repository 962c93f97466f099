extension NewPackage {
    /// The model, which the program and its tool share.
    var model: String {
        #"""
        import ContextCore
        import Foundation

        @Entity public final class Notebook: ManagedObject {
            @Attribute(.unique, .length(1...60)) public var name: String
            @Relationship(deleteRule: .cascade, inverse: \Note.notebook) public var notes: Set<Note>
        }

        @Entity public final class Note: ManagedObject {
            @Attribute(.length(1...200)) public var text: String
            public var createdAt: Date = .now
            public var notebook: Notebook
        }

        /// The classes of the model.
        public let appModel: [ManagedObject.Type] = [Notebook.self, Note.self]

        extension ObjectContext {
            /// Adds a note to the notebook with a name, which is created with its first note.
            public func addNote(_ text: String, to name: String) throws {
                let notebook = try first(Notebook.self, where: \.name == name) ?? Notebook(in: self, name: name)
                _ = Note(in: self, text: text, notebook: notebook)
            }
        }

        """#
    }

    /// The program, which adds a note in each run and prints all.
    var program: String {
        #"""
        import ContextCore
        import Foundation
        import Model
        import PostgresBackend
        import SQLiteBackend

        let words = CommandLine.arguments.dropFirst().joined(separator: " ")

        do {
            // Opens the default store of storectl.json, and creates it if it doesn't exist.
            let store = try await Store.open(backends: [.sqlite, .postgres], model: appModel)
            try await store.write { context in
                try context.addNote(words.isEmpty ? "Hello" : words, to: "Diary")
            }
            let texts = try await store.read { context in
                try context.fetch(Note.self, where: \.notebook.name == "Diary", order: .ascending(\.createdAt))
                    .map(\.text)
            }
            for (index, text) in texts.enumerated() { print("\(index + 1). \(text)") }
            await store.close()
        } catch {
            print(error)
            exit(1)
        }

        """#
    }

    /// The tool, which has the commands of `storectl` and the model.
    var tool: String {
        """
        import Model
        import PostgresBackend
        import SQLiteBackend
        import StoreAdmin

        StoreAdmin.main(model: appModel, backends: [.sqlite, .postgres])

        """
    }

    /// The tests of the model.
    var tests: String {
        #"""
        import ContextCore
        import Model
        import Testing

        struct NotebookTests {
            /// A store for each test.
            private let store: Store

            init() throws { store = try Store.inMemory(appModel) }

            @Test func `Notes are added to one notebook`() async throws {
                try await store.write { context in
                    try context.addNote("Milk", to: "Shopping")
                    try context.addNote("Bread", to: "Shopping")
                }
                let (count, texts) = try await store.read { context in
                    (try context.count(Notebook.self), Set(try context.fetch(Note.self).map(\.text)))
                }
                #expect(count == 1)
                #expect(texts == ["Bread", "Milk"])
            }

            @Test func `A note without text is not saved`() async throws {
                let error = await #expect(throws: StoreError.self) {
                    try await store.write { context in try context.addNote("", to: "Shopping") }
                }
                #expect(error?.code == .validation)
            }
        }

        """#
    }
}
