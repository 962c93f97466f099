import Testing

@testable import StoreAdmin

/// Where a Core Data store keeps the objects of a model.
struct CoreDataTablesTests {
    private func model(_ text: String) throws -> CoreDataModel {
        try DataModelReader.model(XMLTree(reading: "<model>\(text)</model>".utf8))
    }

    /// Returns a schema: `1 Game`, `3 Player 2` for entities with their superentities, and the columns of tables.
    private func schema(_ entities: [String], _ tables: [String: String]) -> CoreDataSchema {
        CoreDataSchema(
            tables: tables.mapValues { $0.split(separator: " ").map(String.init) },
            entities: entities.map { text in
                let parts = text.split(separator: " ").map(String.init)
                let superentity = parts.count > 2 ? Int64(parts[2]) ?? 0 : 0
                return .init(
                    number: Int64(parts[0]) ?? 0, name: parts[1], superentity: superentity, maxKey: 0)
            })
    }

    @Test func `The tables and columns of a store are found`() throws {
        let model = try CoreDataFixture.model()
        let schema = schema(
            ["1 Game", "2 Person", "3 Member 2", "4 Player 2", "5 Photo"],
            [
                "ZGAME":
                    "Z_PK Z_ENT Z_OPT ZPLAYERCOUNT ZSTARTEDAT ZPRIZE ZTITLE ZPLACE_CITY ZPLACE_LATITUDE ZTAGS",
                "ZPERSON": """
                Z_PK Z_ENT Z_OPT ZISHOST ZRANK ZGAME Z_FOK_GAME ZSCORE ZSPEED ZNAME ZNOTE ZNOTE1 ZSITE ZID
                """,
                "ZPHOTO": "Z_PK Z_ENT Z_OPT ZOWNER Z2_OWNER Z1PHOTOS ZIMAGE",
                "Z_1FANS": "Z_1FAVOURITES Z_2FANS2 Z_FOK_1FAVOURITES", "Z_2FRIENDS": "Z_2FRIENDS REFLEXIVE",
            ])
        let tables = CoreDataTables(model, schema)
        #expect(tables.fitExactly)
        let game = try #require(tables.entities["Game"])
        #expect(game.table == "ZGAME" && game.number == 1 && game.attributes["place.city"] == "ZPLACE_CITY")
        #expect(
            game.collections["players"] == .members(table: "ZPERSON", column: "ZGAME", order: "Z_FOK_GAME"))
        #expect(game.collections["photos"] == .members(table: "ZPHOTO", column: "Z1PHOTOS", order: nil))
        #expect(
            game.collections["fans"]
                == .links(.init(table: "Z_1FANS", owner: "Z_1FAVOURITES", target: "Z_2FANS2", order: nil)))
        let (member, player) = (
            try #require(tables.entities["Member"]), try #require(tables.entities["Player"])
        )
        #expect(member.attributes["note"] == "ZNOTE" && player.attributes["note"] == "ZNOTE1")
        #expect(member.attributes["score"] == nil && player.references == ["game": "ZGAME"])
        #expect(
            player.collections["favourites"]
                == .links(
                    .init(
                        table: "Z_1FANS", owner: "Z_2FANS2", target: "Z_1FAVOURITES",
                        order: "Z_FOK_1FAVOURITES")))
        #expect(
            player.collections["friends"]
                == .links(.init(table: "Z_2FRIENDS", owner: "REFLEXIVE", target: "Z_2FRIENDS", order: nil)))
        #expect(tables.sharedNames.map(\.property) == ["Member.note", "Player.note"])
        #expect(tables.sharedNames.map(\.entities) == [[3], [4]])
    }

    @Test func `A relationship of an entity to itself has two columns, named by their destinations`() throws {
        let model = try model(
            """
            <entity name="Mark"><attribute name="name1" attributeType="String"/><attribute name="name" attributeType="String"/>
            <relationship name="folders" toMany="YES" destinationEntity="Mark" inverseName="marks"/>
            <relationship name="marks" toMany="YES" ordered="YES" destinationEntity="Mark" inverseName="folders"/></entity>
            """)
        let tables = CoreDataTables(
            model,
            schema(
                ["1 Mark"],
                ["ZMARK": "Z_PK Z_ENT Z_OPT ZNAME ZNAME1", "Z_1FOLDERS": "Z_1FOLDERS Z_1MARKS Z_FOK_1MARKS"]))
        #expect(tables.fitExactly)
        let mark = try #require(tables.entities["Mark"])
        #expect(mark.attributes == ["name": "ZNAME", "name1": "ZNAME1"])
        #expect(
            mark.collections["marks"]
                == .links(
                    .init(table: "Z_1FOLDERS", owner: "Z_1FOLDERS", target: "Z_1MARKS", order: "Z_FOK_1MARKS")
                ))
    }

    @Test func `A renamed entity is found by its name in an earlier version`() throws {
        let model = try model(
            #"<entity name="Match" elementID="Game"><attribute name="title" attributeType="String"/></entity>"#
        )
        let tables = CoreDataTables(model, schema(["1 Game"], ["ZGAME": "Z_PK Z_ENT Z_OPT ZTITLE"]))
        #expect(tables.fitExactly && tables.entities["Match"]?.table == "ZGAME")
    }

    @Test func `Differences between a model and a store are found`() throws {
        let model = try model(
            """
            <entity name="Game"><attribute name="title" attributeType="String"/>
            <relationship name="players" toMany="YES" destinationEntity="Player" inverseName="games"/></entity>
            <entity name="Player"><relationship name="games" toMany="YES" destinationEntity="Game" inverseName="players"/></entity>
            <entity name="Unused"/>
            """)
        let schema = schema(
            ["1 Game", "2 Player", "3 Club"], ["ZGAME": "Z_PK Z_ENT ZNAME", "ZPLAYER": "Z_PK Z_ENT Z1_X"])
        let tables = CoreDataTables(model, schema)
        #expect(
            tables.mismatches == [
                "Game.title has no column in the table ZGAME", "Game.players has no column and no table",
                "Player.games has no column and no table",
            ])
        #expect(tables.unknownEntities.map(\.name) == ["Club"])
        #expect(tables.unknownColumns == [.init(table: "ZGAME", name: "ZNAME")])
        #expect(!tables.fitExactly)
    }
}
