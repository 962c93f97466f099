import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Models of Core Data, as Xcode writes them and as they are compiled.
struct DataModelTests {
    private func read(_ text: String) throws(FormatError) -> CoreDataModel {
        try DataModelReader.model(XMLTree(reading: text.utf8))
    }

    @Test func `A data model is read`() throws {
        let model = try read(SampleDataModel.xml)
        #expect(model.entities.map(\.name) == ["Game", "Member", "Person", "Photo", "Player"])
        let game = try #require(model.entity(named: "Game"))
        #expect(
            game.attributes.map(\.name) == ["place", "playerCount", "prize", "startedAt", "tags", "title"])
        #expect(game.attributes[0].parts.map(\.name) == ["city", "latitude"])
        #expect(game.attributes[1].derivation == "players.@count" && game.attributes[1].type == .int32)
        #expect(
            game.attributes[3].defaultValue == .date(0)
                && game.attributes[4].valueTransformer == "TagsTransformer")
        #expect(game.attributes[5].minimum == 1 && game.attributes[5].maximum == 40)
        #expect(game.uniqueConstraints == [["title"]] && game.renamingIdentifier == "Match")
        #expect(game.indexes.map(\.elements) == [[.init(property: "startedAt", isDescending: true)]])
        #expect(game.fetchedProperties == ["winners"] && game.hasUserInfo)
        let players = try #require(game.relationships.first { $0.name == "players" })
        #expect(
            players.isToMany && players.isOrdered && players.deleteRule == .cascade
                && players.maximumCount == 8)
        let player = try #require(model.entity(named: "Player"))
        #expect(player.superentity == "Person" && model.entity(named: "Person")?.isAbstract == true)
        #expect(model.lineage(of: "Player") == ["Player", "Person"])
        #expect(model.tree(ofRoot: "Person") == ["Person", "Member", "Player"])
        #expect(model.configurations == ["Local": ["Game"]] && model.fetchRequests == ["topPlayers"])
        #expect(model.entity(named: "Photo")?.attributes.first?.allowsExternalStorage == true)
    }

    @Test func `A compiled model is the same as its source`() throws {
        let model = try read(SampleDataModel.xml)
        let archive = try KeyedArchive(reading: ModelArchiveWriter.data(model))
        #expect(try ModelArchiveReader.model(archive) == model)
        let cache = try Inflate.decompressed(ModelArchiveWriter.cache(model), limit: 1_000_000)
        #expect(try ModelArchiveReader.model(KeyedArchive(reading: Data(cache))) == model)
    }

    @Test func `Copies of inherited properties in a compiled model are removed`() throws {
        let model = try read(SampleDataModel.xml)
        var copied = model
        let place = try #require(model.entities.firstIndex { $0.name == "Player" })
        copied.entities[place].attributes += model.entity(named: "Person")?.attributes ?? []
        copied.entities[place].indexes += model.entity(named: "Person")?.indexes ?? []
        let archive = try KeyedArchive(reading: ModelArchiveWriter.data(copied))
        #expect(try ModelArchiveReader.model(archive) == model)
    }

    @Test(arguments: [
        (
            #"<model><entity name="A" parentEntity="B"/></model>"#,
            "the superentity B of A is not in the model"
        ),
        (
            #"<model><entity name="A" parentEntity="A"/></model>"#,
            "the entity A inherits from itself, or has more than 32 superentities"
        ),
        (#"<model><entity name="A"/><entity name="A"/></model>"#, "the model has two entities of one name"),
        (
            #"<model><entity name="A"><relationship name="b" destinationEntity="B"/></entity></model>"#,
            "the destination of A.b is not in the model: B"
        ),
        (
            #"<model><entity name="A"><attribute name="x" attributeType="Colour"/></entity></model>"#,
            "the attribute x has the unknown type “Colour”"
        ),
        ("<plist/>", "it is not a data model"),
    ])
    func `Invalid data models are errors`(text: String, message: String) {
        #expect(throws: FormatError(message)) { try read(text) }
    }

    @Test func `Composites that contain each other are an error`() {
        let text = """
            <model><entity name="A"><attribute name="x" attributeType="Composite" composite="C"/></entity>
            <composite name="C"><attribute name="y" attributeType="Composite" composite="C"/></composite></model>
            """
        #expect(throws: FormatError.self) { try read(text) }
    }

    /// 20,000 inputs in all, of which some are still models.
    @Test func `Damaged models are read or are errors`() throws {
        let model = try read(SampleDataModel.xml)
        let archive = [UInt8](ModelArchiveWriter.data(model))
        let cache = [UInt8](ModelArchiveWriter.cache(model))
        var (random, damage) = (SeededRandom(seed: 2001), FileDamage(seed: 2001))
        var failures = 0
        for round in 0..<20_000 {
            do throws(FormatError) {
                switch round % 4 {
                case 0:
                    _ = try DataModelReader.model(
                        XMLTree(reading: damage.applied(to: Array(SampleDataModel.xml.utf8))))
                case 1:
                    _ = try ModelArchiveReader.model(KeyedArchive(reading: Data(damage.applied(to: archive))))
                case 2:
                    let bytes = try Inflate.decompressed(Self.changed(cache, &random), limit: 1_000_000)
                    _ = try ModelArchiveReader.model(KeyedArchive(reading: Data(bytes)))
                default:
                    _ = try ModelArchiveReader.model(
                        KeyedArchive(reading: Data(Self.changed(archive, &random))))
                }
            } catch {
                failures += 1
            }
        }
        #expect((1..<20_000).contains(failures))
    }

    /// Returns the bytes with some of them replaced by others of the file, so that offsets and references stay plausible.
    private static func changed(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let (from, to) = (
                Int.random(in: 0..<bytes.count, using: &random),
                Int.random(in: 0..<bytes.count, using: &random)
            )
            bytes[to] = bytes[from]
        }
        return bytes
    }
}
