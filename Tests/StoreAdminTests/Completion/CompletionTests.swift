import ContextCore
import Testing

@testable import StoreAdmin

/// The completions of words, with names that a test gives.
struct CompletionTests {
    private struct Sources: CompletionSources {
        func storeNames() -> [String] { ["demo", "dev", "prod"] }
        func tenants() -> [String] { ["acme", "apex"] }
        func model() -> ObjectModel? { try? ObjectModel(fileText: ShopExport.model, fileName: "shop") }
        func modelNumbers() -> [Int] { [1, 2] }
        func versions() -> [String] { ["V1", "V2"] }
        var backendNames: [String] { ["sqlite", "postgres"] }
        var hasApplicationModel: Bool { true }
    }

    private func answer(_ words: [String]) -> CompletionAnswer {
        Completion(tree: .all, sources: Sources()).answer(to: CompletionInput(words, tree: .all))
    }

    private func words(_ words: String...) -> [String] { answer(words).candidates.map(\.word) }

    @Test func `Commands are completed with their summaries`() {
        #expect(
            answer(["sta"]).candidates == [
                .init(word: "status", help: CommandTree.all.abstract(of: "status"))
            ])
        #expect(words("data", "c") == ["copy", "checksum"])
        #expect(words("help", "data", "v") == ["verify"])
        #expect(words("").count == Set(CommandTree.all.commands.map { $0.declaration.words[0] }).count + 1)
        #expect(words("data", "copy").isEmpty == false && words("nothing", "").isEmpty)
        #expect(!words("").contains("complete"))
    }

    @Test func `Options are completed, but no flag twice`() {
        #expect(words("query", "--ord") == ["--order"])
        #expect(words("query", "--js") == ["--json"])
        #expect(words("query", "--json", "--js") == [])
        #expect(words("fleet", "list", "--only", "a", "--on") == ["--only"])
        #expect(words("--sto") == ["--store"])
        #expect(words("migrate", "history", "").allSatisfy { $0.hasPrefix("--") })
        #expect(words("model", "check", "--on") == [])
    }

    @Test func `Values of options are completed`() {
        #expect(words("query", "-o", "js") == ["json", "jsonl"])
        #expect(words("query", "--output=m") == ["--output=md"])
        #expect(words("-s", "de") == ["demo", "dev"])
        #expect(words("status", "--tenant", "ac") == ["acme"])
        #expect(words("migrate", "apply", "--to", "V") == ["V1", "V2"])
        #expect(words("migrate", "apply", "--phase", "ex") == ["expand"])
        #expect(words("migrate", "plan", "--for", "p") == ["postgres"])
        #expect(words("check", "--only", "orphans,un") == ["orphans,unique"])
        #expect(words("completion", "z") == ["zsh"])
        #expect(words("model", "show", "") == ["1", "2"])
    }

    @Test func `A confirmation is not completed`() {
        #expect(answer(["db", "drop", "--confirm", ""]) == CompletionAnswer())
    }

    @Test func `Files and folders are left to the shell`() {
        #expect(answer(["query", "--config", "a"]) == CompletionAnswer(offersFiles: true))
        #expect(answer(["migrate", "plan", "--project", ""]) == CompletionAnswer(offersFolders: true))
        let backup = answer(["migrate", "apply", "--backup", "a"])
        #expect(backup.offersFiles && backup.candidates.map(\.word) == ["auto"])
        let model = answer(["model", "diff", ""])
        #expect(model.offersFiles && model.candidates.map(\.word) == ["store", "app"])
    }

    @Test func `Entities, objects and parts of the model are completed`() {
        #expect(words("query", "P") == ["Person", "Player"])
        #expect(words("data", "export", "--entity", "Game,Ref") == ["Game,Referee"])
        #expect(
            answer(["get", "Pl"])
                == CompletionAnswer(candidates: [.init(word: "Player:")], isUnfinished: true))
        #expect(words("get", "Player:1") == [])
        #expect(words("migrate", "apply", "--accept-loss", "Sample.si") == ["Sample.single"])
        #expect(words("migrate", "new", "V1", "V2", "--rename", "Game.ti") == ["Game.title"])
    }

    @Test func `Properties are those of the request's entity, also through relationships`() {
        #expect(words("query", "Player", "-f", "name,sc") == ["name,score"])
        #expect(words("query", "Player where score > 1", "--fields=game.ti") == ["--fields=game.title"])
        #expect(words("query", "Player", "-f", "m") == ["mentor."])
        #expect(words("query", "Player", "-f", "mentor.mentor.na") == ["mentor.mentor.name"])
        #expect(words("query", "Game", "--order", "pl") == ["players.@count"])
        #expect(words("query", "Game", "-f", "players.na") == [])
        #expect(words("query", "Nothing", "-f", "") == [] && words("query", "-f", "") == [])
        let help = answer(["query", "Player", "-f", "g"]).candidates.map(\.help)
        #expect(help == ["Game"])
    }

    @Test func `A request is completed word by word`() {
        #expect(words("query", "Player wh") == ["Player where"])
        #expect(words("query", "Player where sc") == ["Player where score"])
        #expect(words("count", "Player where NOT (game.ti") == ["Player where NOT (game.title"])
        #expect(
            words("explain", "Player where score > 1 o")
                == ["or", "order by", "offset"].map { "Player where score > 1 " + $0 })
        #expect(words("query", "Sample where fla") == ["Sample where flag"])
        #expect(words("query", "Sample where flag == fa") == ["Sample where flag == false"])
        #expect(words("query", "Player where ga") == ["Player where game"])
        #expect(words("query", "Player ") == ["where", "order by", "limit", "offset"].map { "Player " + $0 })
    }

    @Test func `An answer is a line for each candidate, and instructions for the script`() {
        var answer = CompletionAnswer(
            candidates: [
                .init(word: "a", help: "The first."), .init(word: "b c"), .init(word: ":d"),
                .init(word: "e\n:files"),
            ],
            isUnfinished: true)
        #expect(answer.text == ":nospace\na\tThe first.\nb c\n")
        answer = CompletionAnswer(offersFiles: true, offersFolders: true)
        #expect(answer.text == ":files\n:folders\n")
        #expect(CompletionAnswer().text == "")
    }
}
