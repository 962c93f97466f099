import ContextCore
import Foundation
import Synchronization
import Testing

@testable import SQLiteBackend
@testable import StoreAdmin

/// `data import --from` with stores of Core Data.
struct CoreDataImportTests {
    private let bench: AdminBench
    private let fixture: CoreDataFixture

    init() throws {
        bench = try AdminBench()
        fixture = try CoreDataFixture(in: bench.folder)
    }

    private static let expected: [String: [String: StoredValue]] = [
        "Game:1": [
            "title": .string("Go"), "startedAt": .timestamp(microseconds: 1_678_307_200_500_000),
            "prize": .decimal(Decimal(string: "10.25") ?? 0), "tags": .string(#"["a","b"]"#),
            "playerCount": .int(2),
            "place.city": .string("Oslo"), "place.latitude": .double(59.9),
            "players": .composite([.int(2), .int(1)]),
        ],
        "Game:4": [
            "title": .string("Chess"), "startedAt": .timestamp(microseconds: 978_307_200_000_000),
            "playerCount": .int(0),
        ],
        "Player:1": [
            "name": .string("Ann"), "rank": .int(3), "isHost": .bool(true), "score": .double(12.5),
            "speed": .double(0.5), "playerNote": .string("player"), "game": .int(1),
            "id": .uuid(CoreDataFixture.uuid),
            "site": .string("https://example.org/ann"), "friends": .composite([.int(3)]),
        ],
        "Player:2": [
            "name": .string("Bo"), "rank": .int(1), "isHost": .bool(false), "score": .double(0),
            "game": .int(1),
        ],
        "Member:3": [
            "name": .string("Cy"), "note": .string("member"), "favourites": .composite([.int(4), .int(1)]),
            "friends": .composite([.int(1)]),
        ],
        "Photo:1": ["image": .data(Data("inline".utf8)), "owner": .int(3), "gameOfPhotos": .int(1)],
        "Photo:2": ["image": .data(Data("external".utf8))],
    ]

    @Test(arguments: TestPlace.available)
    func `The objects of a store are imported with their keys and links`(_ place: TestPlace) throws {
        bench.variables["TARGET"] = place.freshURL()
        try bench.write(#"{"stores": {"target": {"url": {"env": "TARGET"}}}}"#, to: "storectl.json")
        let outcome = bench.run("data", "import", "--from", "App.sqlite", "-s", "target")
        #expect(outcome.exit == .success, "\(outcome.problems)")
        #expect(outcome.output.contains("The copy is equal to the source."))
        #expect(try bench.objects("target") == Self.expected)
        let check = bench.run("check", "-s", "target")
        #expect(check.exit == .success, "\(check.output)")
        // The keys of deleted objects aren't assigned again.
        let store = try bench.tool.store("target", config: nil)
        let key = try store.write(model: store.model()) {
            let session = try $0.openWriteSession(SessionOptions(identifier: "test"))
            defer { session.end() }
            let game = try #require($0.model.layout(named: "Game"))
            return try session.reserveKeys(1, rootIndex: game.rootIndex).lowerBound
        }
        #expect(key > 7)
    }

    @Test func `A model in any of its forms gives the same store`() throws {
        for model in [
            try fixture.writeModel(), try fixture.writeCompiledModel(),
            fixture.folder + "/App.momd/App 2.mom",
        ] {
            let url = TestPlace.sqlite.freshURL()
            let outcome = bench.run("data", "import", "--from", "App.sqlite", "--coredata", model, "-s", url)
            #expect(outcome.exit == .success, "\(outcome.problems)")
            #expect(try bench.objects(url) == Self.expected)
        }
    }

    @Test func `The version that fits the store is chosen`() throws {
        try fixture.execute([
            "ALTER TABLE ZPERSON RENAME COLUMN ZSPEED TO ZPACE", "UPDATE Z_METADATA SET Z_PLIST = NULL",
        ])
        let model = try fixture.writeModel()
        let document = try bench.json(
            "data", "import", "--from", "App.sqlite", "--coredata", model, "--dry-run", "-s",
            "sqlite:a.sqlite")
        #expect(document["version"] == .string("App"))
        let outcome = bench.run(
            "data", "import", "--from", "App.sqlite", "--coredata", model + "/App 2.xcdatamodel", "-s",
            "sqlite:a.sqlite")
        #expect(
            outcome.exit == .badData
                && outcome.problems.contains("Player.speed has no column in the table ZPERSON"))
    }

    @Test func `The report lists what has no place`() throws {
        let arguments = ["data", "import", "--from", "App.sqlite", "--dry-run", "-s", "sqlite:a.sqlite"]
        let outcome = bench.run(arguments + ["--report", "report.json"])
        #expect(outcome.exit == .success && outcome.output.hasSuffix("Nothing was written.\n"))
        for line in [
            "Game.tags: codable; the output of the transformer TagsTransformer is decoded to JSON.",
            "Game.winners: fetched properties are requests, which a program makes.",
            "Game: the user info of the entity or of its properties.",
            "Player.note: the property is named playerNote.",
            "Game.photos: it has the inverse Photo.gameOfPhotos, which a model requires.",
            "Person.temporary: the transient attribute has no type.",
            "Local: the configuration with Game; a store has all entities.",
            "topPlayers: fetch request templates are requests, which a program makes.",
        ] {
            #expect(outcome.output.contains("  \(line)\n"))
        }
        let report = try JSONDocument(try bench.read("report.json"))
        #expect(JSONValue(report.root)["schema"] == .string("storectl.data.import.coredata/1"))
        #expect(bench.run("model", "show", "-s", "sqlite:a.sqlite").exit == .inputMissing)
    }

    @Test func `Values that can't be taken over are refused until they are accepted`() throws {
        try fixture.execute([
            "UPDATE ZPERSON SET ZGAME = 99 WHERE Z_PK = 2", "UPDATE ZPERSON SET ZRANK = 70000 WHERE Z_PK = 2",
            "INSERT INTO Z_2FRIENDS VALUES (88, 2)",
            "INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT) VALUES (3, 77, 1)",
        ])
        try FileManager.default.removeItem(atPath: fixture.folder + "/.App_SUPPORT")
        let arguments = ["data", "import", "--from", "App.sqlite", "-s", "sqlite:a.sqlite"]
        let refused = bench.run(arguments)
        #expect(refused.exit == .refused)
        for line in [
            "Person.friends: the link has an object that does not exist (1 object: 2)",
            "Photo.image: the file with the value is missing (1 object: 2)",
            "Player.game: the reference is to an object that does not exist (1 object: 2)",
            "Player.rank: the number does not fit the attribute's type (1 object: 2)",
            "ZPHOTO: the row is of no entity of the model, or has no key above 0 (1 object: 3)",
        ] {
            #expect(refused.problems.contains(line))
        }
        #expect(
            refused.problems.contains(
                "--accept-loss Person.friends,Photo.image,Player.game,Player.rank,ZPHOTO"))
        let accepted = bench.run(
            arguments + ["--accept-loss", "Person.friends,Photo.image,Player.game,Player.rank,ZPHOTO"])
        #expect(accepted.exit == .success, "\(accepted.problems)")
        let imported = try bench.objects("sqlite:a.sqlite")
        #expect(imported["Player:2"]?["game"] == nil && imported["Player:2"]?["rank"] == nil)
        #expect(imported["Photo:2"] == [:] && imported["Photo:3"] == nil)
        #expect(accepted.output.contains("Player.rank: optional, because 1 object has no value."))
    }

    @Test func `Columns and entities that the model doesn't have are losses if they have values`() throws {
        try fixture.execute([
            "ALTER TABLE ZGAME ADD COLUMN ZEMPTY VARCHAR", "ALTER TABLE ZGAME ADD COLUMN ZOLD VARCHAR",
            "UPDATE ZGAME SET ZOLD = 'x' WHERE Z_PK = 4",
            "CREATE TABLE ZCLUB ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER )",
            "INSERT INTO ZCLUB VALUES (2, 6)", "INSERT INTO Z_PRIMARYKEY VALUES (6, 'Club', 0, 2)",
        ])
        let arguments = ["data", "import", "--from", "App.sqlite", "-s", "sqlite:a.sqlite"]
        let refused = bench.run(arguments)
        #expect(refused.exit == .refused && !refused.problems.contains("ZEMPTY"))
        #expect(refused.problems.contains("ZGAME.ZOLD: the model has no such column or entity (1 object: 4)"))
        #expect(refused.problems.contains("ZCLUB: the model has no such column or entity (1 object: 2)"))
        #expect(bench.run(arguments + ["--accept-loss", "ZGAME.ZOLD,ZCLUB"]).exit == .success)
    }

    @Test func `The last transactions are read from the write-ahead log, and no file changes`() throws {
        let writer = try SQLiteConnection(path: fixture.path, access: .readAndWrite, timeout: .seconds(60))
        defer { writer.close() }
        try writer.execute("PRAGMA journal_mode = wal")
        try writer.execute("PRAGMA wal_autocheckpoint = 0")
        try writer.execute("UPDATE ZPERSON SET ZNAME = 'Dee' WHERE Z_PK = 3")
        let before = try contents()
        #expect(before.keys.contains("App.sqlite-wal"))
        #expect(
            bench.run("data", "import", "--from", "App.sqlite", "-s", "sqlite:new.sqlite").exit == .success)
        #expect(try bench.objects("sqlite:new.sqlite")["Member:3"]?["name"] == .string("Dee"))
        #expect(try contents() == before)
    }

    /// Returns the contents of the source's files, by name.
    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder).filter {
            $0.hasPrefix("App.")
        }
        let files = try names.map {
            ($0, try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/" + $0)))
        }
        return Dictionary(files, uniquingKeysWith: { first, _ in first })
    }

    @Test func `A stopped import is continued`() throws {
        let checks = Mutex(0)
        bench.stopRequest = .polling {
            checks.withLock { count in
                count += 1
                return count > 2 ? SIGINT : nil
            }
        }
        let arguments = ["data", "import", "--from", "App.sqlite", "-s", "sqlite:new.sqlite"]
        #expect(bench.run(arguments).exit == .interrupted)
        bench.stopRequest = .none
        #expect(bench.run(arguments).problems.contains("Add --resume."))
        #expect(bench.run(arguments + ["--resume"]).exit == .success)
        #expect(try bench.objects("sqlite:new.sqlite") == Self.expected)
    }

    @Test func `Columns whose numbers are in an unknown order are an error`() throws {
        try fixture.execute(["UPDATE ZPERSON SET ZNOTE = 'x' WHERE Z_PK = 1"])
        let outcome = bench.run("data", "import", "--from", "App.sqlite", "-s", "sqlite:new.sqlite")
        #expect(outcome.exit == .badData)
        #expect(
            outcome.problems.contains(
                "the column ZPERSON.ZNOTE has values of other entities than Member.note"))
    }

    @Test func `Options of other imports are errors`() {
        for words in [
            ["--from", "App.sqlite", "--entity", "Game"], ["--from", "App.sqlite", "--key", "title"],
            ["--from", "App.sqlite", "all.jsonl"], ["all.jsonl", "--coredata", "App.momd"],
            ["all.jsonl", "--resume"], ["rows.csv", "--entity", "Game", "--report", "report.txt"],
        ] {
            let outcome = bench.run(["data", "import"] + words + ["-s", "sqlite:a.sqlite"])
            #expect(outcome.exit == .usage && outcome.problems.contains("--"), "\(words)")
        }
    }

    @Test func `Other files are errors`() throws {
        try bench.write("text", to: "text.sqlite")
        #expect(
            bench.run("data", "import", "--from", "text.sqlite", "-s", "sqlite:a.sqlite").exit == .badData)
        #expect(
            bench.run("data", "import", "--from", "none.sqlite", "-s", "sqlite:a.sqlite").exit
                == .inputMissing)
        #expect(bench.run("data", "import", "-s", "sqlite:a.sqlite").exit == .usage)
        try fixture.execute(["DROP TABLE Z_MODELCACHE"])
        let outcome = bench.run("data", "import", "--from", "App.sqlite", "-s", "sqlite:a.sqlite")
        #expect(outcome.exit == .badData && outcome.problems.contains("--coredata"))
        try fixture.execute(["DROP TABLE Z_PRIMARYKEY"])
        #expect(
            bench.run("data", "import", "--from", "App.sqlite", "-s", "sqlite:a.sqlite").problems
                .contains("is not a store of Core Data or SwiftData"))
    }
}
