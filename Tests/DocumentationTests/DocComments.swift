/// The Swift blocks in the doc comments of the sources.
///
/// Doc comments are short and rely on declarations that they don't contain, so every block can use the declarations and values below. All
/// blocks of statements form one module. A block with declarations forms a separate module, in which its declarations replace those below.
enum DocComments {
    /// The declarations that blocks can use.
    static let declarations = #"""
        @Entity final class Game: ManagedObject {
            @Attribute(.unique) var title: String
            var startedAt: Date = .now
            @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
        }

        @Entity final class Player: ManagedObject {
            var name: String
            var score: Int = 0
            var game: Game?
        }

        @Entity final class Job: ManagedObject {
            var number: Int
            var state: JobState = .open
        }
        enum JobState: String, CaseIterable, AttributeValue { case open, done }

        @Entity final class Patient: ManagedObject {
            var name: String
        }

        enum V1 { static let model = try! ObjectModel([Game.self, Player.self]) }
        enum V2 { static let model = try! ObjectModel([Game.self, Player.self]) }
        struct Table { func apply(_ difference: ResultsDifference) {} }
        struct List { func insert(_ text: String, at place: ResultsPosition) {} }
        final class Label { var text = "" }
        final class Window { var title = "" }
        struct Waits { func record(_ time: Duration, of name: String?) {} }
        struct SearchIndex {
            func update(_ ids: [ObjectID]) {}
            func update(_ changes: [StoreTransaction.Change]) {}
        }
        struct Key {
            func seal(_ text: String) throws -> Data { Data() }
            func open(_ stored: StoredValue) throws -> String { "" }
        }

        func PaperCoordinator(path: String, ink: String? = nil, model: ObjectModel) throws -> any StoreCoordinator {
            InMemoryCoordinator(model: model)
        }
        """#

    /// A value that declarations can use.
    static let global = """
        let paper = StoreFixture(name: "paper", capabilities: []) { _, model in InMemoryCoordinator(model: model) } remove: { _ in }

        """

    /// The values that the statements of a block, which run on the main actor, can use.
    static let values = """
        url: String, key: Key, context: ObjectContext, child: ObjectContext, store: Store, editor: ContextActor, \
        proxy: ContextProxy, controller: FetchedResultsController<Player>, rows: ResultsRows<Player>, \
        messages: ContextMessages, game: Game, ann: Player, backend: StoreBackend, model: ObjectModel, \
        layout: EntityLayout, versions: ModelVersions, folder: URL, ids: [ObjectID], names: [String], \
        table: Table, list: List, label: Label, window: Window, waits: Waits, index: SearchIndex, \
        show: (Any?) -> Void
        """

    /// Makes modules of the blocks of all sources.
    static func modules(of sources: [(path: String, text: String)]) throws -> [DocumentModule] {
        let blocks = try sources.flatMap { source in
            try CodeBlock.blocks(in: comments(of: source.text), document: source.path)
        }
        let modules = Dictionary(grouping: blocks.enumerated()) { number, block in
            CodeParts(block).declarations.isEmpty ? 0 : number + 1
        }
        return modules.sorted { $0.key < $1.key }.map { number, blocks in
            module(blocks.map(\.element), named: number == 0 ? "DocComments" : "DocComments_\(number)")
        }
    }

    /// Returns the doc comments of a source as Markdown, with the same line numbers.
    static func comments(of source: String) -> String {
        source.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("///") else { return "" }
            return text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
        }.joined(separator: "\n")
    }

    private static func module(_ blocks: [CodeBlock], named name: String) -> DocumentModule {
        let own = Set(blocks.flatMap { CodeParts($0).declarations.compactMap { declaredName($0.code) } })
        var lent = CodeParts(CodeBlock(document: "DocComments.swift", line: 1, code: declarations))
            .declarations
        lent.removeAll { own.contains(declaredName($0.code) ?? "") }
        let borrowed = lent.map {
            CodeBlock(document: "DocComments.swift", line: $0.line, code: $0.code, isBorrowed: true)
        }
        let given = blocks.map { block in
            var block = block
            block.markers.append(.given(values))
            return block
        }
        var module = DocumentModule(
            name: name, blocks: borrowed + given, imports: DocumentationPackage.modules + ["Testing"],
            isOnMainActor: true)
        module.source += global
        return module
    }

    /// Returns the name of the type or function that a declaration starts with.
    private static func declaredName(_ code: String) -> String? {
        code.firstMatch(of: /\b(?:class|struct|enum|func)\s+(\w+)/).map { String($0.output.1) }
    }
}
