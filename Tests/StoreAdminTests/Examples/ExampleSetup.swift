@testable import StoreAdmin

/// What the examples of a command need, and how they end.
struct ExampleSetup: Sendable {
    /// The frozen versions of the model; the stores have the first one.
    var versions = [ExampleModels.first]
    /// The model of the application, if the examples need its tool.
    var model: String?
    /// The calls that prepare the project.
    var calls: [String] = []
    /// The texts of files, by name.
    var files: [String: String] = [:]
    /// Whether there are a Core Data store, `App.sqlite`, and its model, `App.xcdatamodeld`.
    var hasCoreDataStore = false
    /// Whether there is no project at all.
    var isEmpty = false
    /// Whether the store `prod` is missing.
    var lacksProd = false
    /// Whether each example has a project of its own.
    var isSeparate = false
    /// Words that end an example, which otherwise waits.
    var appended: [String] = []
    /// The exit codes of examples that report something, by example.
    var exits: [String: ExitCode] = [:]
    /// Whether the examples fail because the tests are built without a trait.
    var lacksTrait = false
    /// The only kind of store to which an example applies, by example.
    var places: [String: TestPlace] = [:]
}

/// The versions of the model in the examples, and their objects.
enum ExampleModels {
    static let first = """
        {"entities":{"Game":{"attributes":{"startedAt":{"optional":true,"type":"date"},"title":{"type":"string"}},\
        "relationships":{"players":{"deleteRule":"cascade","inverse":"game","to":"Player","toMany":true}},"unique":[["title"]]},\
        "Player":{"attributes":{"name":{"type":"string"},"score":{"default":0,"type":"int64"}},\
        "relationships":{"game":{"inverse":"players","optional":true,"to":"Game"}}}},"format":1}
        """
    static let second = adding("rating", "double", to: first)
    static let third = adding("nickname", "string", to: second)
    /// The first version with another name of an attribute.
    static let renamed = first.replacing(#""name":{"#, with: #""fullName":{"#)
    /// A version whose migration can be rolled back without a loss.
    static let indexed = first.replacing(
        #""Player":{"#, with: #""Player":{"indexes":[{"properties":["name"]}],"#)
    static let objects = """
        {"entity":"Game","id":1,"to":{},"values":{"startedAt":"2026-08-01T12:00:00Z","title":"Go"},"version":1}
        {"entity":"Game","id":2,"to":{},"values":{"title":"Chess"},"version":1}
        {"entity":"Player","id":12,"to":{"game":1},"values":{"name":"Ann","score":12},"version":1}
        {"entity":"Player","id":13,"to":{},"values":{"name":"Bob","score":3},"version":1}

        """

    private static func adding(_ name: String, _ type: String, to model: String) -> String {
        model.replacing(
            #""score":{"#, with: #""\#(name)":{"optional":true,"type":"\#(type)"},"score":{"#)
    }

    /// A model with one entity that has one attribute.
    static func single(_ entity: String, _ attribute: String, _ type: String) -> String {
        #"{"entities":{"\#(entity)":{"attributes":{"\#(attribute)":{"type":"\#(type)"}}}},"format":1}"#
    }
}

extension ExampleSetup {
    /// The setups that differ from the usual one, by example or by command.
    static let table: [String: ExampleSetup] = [
        "sql": ExampleSetup(calls: ["sql --write 'CREATE INDEX old_index ON player (name)'"]),
        "change": ExampleSetup(
            files: [
                "changes.json": """
                {"changes": [{"update": "Player:12", "set": {"score": 5, "game": "g"}},
                {"insert": "Game", "as": "g", "set": {"title": "Mill"}}, {"delete": "Game:2"}]}
                """
            ], isSeparate: true),
        "db create": ExampleSetup(places: ["db create -s prod": .postgres]),
        "db drop": ExampleSetup(calls: ["data copy dev test"]),
        "model diff": ExampleSetup(
            model: ExampleModels.first, files: ["V2.model.json": ExampleModels.second],
            exits: ["model diff store V2.model.json": .differences]),
        "model freeze": ExampleSetup(versions: [], model: ExampleModels.second),
        "model check": ExampleSetup(model: ExampleModels.first),
        "model import": ExampleSetup(
            files: [
                "chinook.db": "", "shop.model.json": ExampleModels.single("Artist", "name", "string"),
                "chinook.model.json": ExampleModels.single("Artist", "name", "string"),
            ], hasCoreDataStore: true,
            places: [
                "model import -s sqlite:chinook.db --merge shop.model.json --base chinook.model.json":
                    .sqlite,
                "model import -s sqlite:chinook.db > V1.model.json": .sqlite,
                "model import -s 'postgres://app@db/shop?schema=public' --out V1.model.json": .postgres,
            ]),
        "model generate": ExampleSetup(files: ["V1.model.json": ExampleModels.first]),
        "backup verify": ExampleSetup(
            calls: ["backup create -s prod --out prod-20260801T120000Z.sqlite"]),
        "backup restore": ExampleSetup(calls: ["backup create -s dev --out dev-20260801T120000Z.sqlite"]),
        "fleet list": ExampleSetup(calls: tenants), "fleet status": ExampleSetup(calls: tenants),
        "fleet check": ExampleSetup(calls: tenants), "fleet migrate": ExampleSetup(calls: tenants),
        "fleet backup": ExampleSetup(calls: tenants, isSeparate: true),
        "migrate new V1 V2 --rename Game.name:title": ExampleSetup(
            files: [
                "Models/V1.model.json": ExampleModels.single("Game", "name", "string"),
                "Models/V2.model.json": ExampleModels.single("Game", "title", "string"),
            ], isEmpty: true),
        "migrate new V1 V2 --convert 'Product.price=cents / 100'": ExampleSetup(
            files: [
                "Models/V1.model.json": ExampleModels.single("Product", "cents", "int64"),
                "Models/V2.model.json": ExampleModels.single("Product", "price", "double"),
            ], isEmpty: true),
        "migrate plan": withSecond, "migrate rehearse": withSecond, "migrate lint": withSecond,
        "migrate script": withSecond, "migrate adopt": withSecond, "migrate baseline": withSecond,
        "migrate apply": ExampleSetup(
            versions: [ExampleModels.first, ExampleModels.second],
            calls: ["migrate plan -s prod --out plan.json"]),
        "migrate complete": ExampleSetup(
            versions: [ExampleModels.first, ExampleModels.second, ExampleModels.third],
            calls: ["migrate apply -s prod --to V2 --phase expand"]),
        "migrate resume": ExampleSetup(
            versions: [ExampleModels.first, ExampleModels.second],
            calls: ["migrate apply -s dev --phase expand"]),
        "migrate rollback": ExampleSetup(
            versions: [ExampleModels.first, ExampleModels.indexed],
            calls: ["migrate apply -s prod --phase expand"]),
        "migrate dev": ExampleSetup(model: ExampleModels.second, appended: ["--yes"]),
        "migrate dev --rename Player.name:fullName": ExampleSetup(
            model: ExampleModels.renamed, appended: ["--yes"]),
        "migrate dev --amend": ExampleSetup(
            versions: [ExampleModels.first, ExampleModels.second], model: ExampleModels.third,
            appended: ["--yes"]),
        "history tail": ExampleSetup(appended: ["--timeout", "10ms"]),
        "data import": ExampleSetup(
            files: [
                "all.jsonl": "{\"model\":\(ExampleModels.first),\"schema\":\"storectl.export/1\"}\n"
                    + ExampleModels.objects,
                "games.csv": "title,startedAt\nGo,2026-08-02\nChess,\nMill,\n",
                "p.csv": "name,score,Spiel\nCem,7,Go\n",
            ]),
        "data import --from App.sqlite --coredata App.xcdatamodeld -s prod": ExampleSetup(
            hasCoreDataStore: true, lacksProd: true),
        "data import --from chinook.db --report report.txt -s sqlite:music.sqlite": ExampleSetup(
            files: ["chinook.db": ""],
            places: ["data import --from chinook.db --report report.txt -s sqlite:music.sqlite": .sqlite]),
        "data copy": ExampleSetup(calls: ["data copy dev sqlite:a.sqlite"], lacksProd: true),
        "maintain checkpoint": ExampleSetup(places: ["maintain checkpoint -s dev": .sqlite]),
        "maintain recover": ExampleSetup(places: ["maintain recover saved.sqlite -s dev": .sqlite]),
        "shell": ExampleSetup(files: ["requests.txt": "Game\nPlayer where score > 10\n"]),
        // With the trait they run until Ctrl-C; see Tests/StudioTests.
        "studio": ExampleSetup(
            exits: [
                "studio -s dev --open": .configuration,
                "studio -s dev --write --port 8080": .configuration,
            ], lacksTrait: true),
        "init": ExampleSetup(isEmpty: true, isSeparate: true),
        "new": ExampleSetup(
            files: ["ContextCore/Package.swift": "", "ContextCore/Sources/StoreAdmin/StoreAdmin.swift": ""],
            isEmpty: true, isSeparate: true),
    ]

    private static let withSecond = ExampleSetup(versions: [ExampleModels.first, ExampleModels.second])
    private static let tenants = ["acme", "beta"].map { "db create -s prod --tenant \($0) --model V1.json" }
}
