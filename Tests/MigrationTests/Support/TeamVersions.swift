import ContextCore

/// Two versions of teams, their players and tags, in which relationships of every kind change.
///
/// In the older version a team has an ordered relationship to players, and a player has tags and a rival. In the newer version a team has
/// a captain and two ordered relationships, to active players and to substitutes; the tags of a player are ordered by preference.
enum TeamVersions {
    static func older() throws -> ObjectModel {
        try ObjectModel(entities: [
            .init(
                "Team", attributes: [.init("name", .string)],
                relationships: [
                    .init("players", to: "Player", inverse: "team", isToMany: true, isOrdered: true)
                ]),
            .init(
                "Player", attributes: [.init("name", .string), .init("score", .int64)],
                relationships: [
                    .init("team", to: "Team", inverse: "players"),
                    .init("tags", to: "Tag", inverse: "players", isToMany: true),
                    .init("rivals", to: "Player", inverse: "rivals", isToMany: true),
                ]),
            .init(
                "Keeper", superentity: "Player",
                attributes: [.init("gloves", .string, isOptional: true)]),
            .init(
                "Tag", attributes: [.init("word", .string)],
                relationships: [.init("players", to: "Player", inverse: "tags", isToMany: true)]),
        ])
    }

    /// - Parameter hasKeepers: Whether some of the players are keepers.
    static func newer(hasKeepers: Bool = true) throws -> ObjectModel {
        let keeper = EntityDescription(
            "Keeper", superentity: "Player", attributes: [.init("gloves", .string, isOptional: true)])
        return try ObjectModel(
            entities: [
                .init(
                    "Team", attributes: [.init("name", .string), .init("roster", .string)],
                    relationships: [
                        .init("captain", to: "Player", inverse: "leads"),
                        .init("players", to: "Player", inverse: "team", isToMany: true, isOrdered: true),
                        .init("reserves", to: "Player", inverse: "waitsFor", isToMany: true, isOrdered: true),
                    ]),
                .init(
                    "Player",
                    attributes: [
                        .init("name", .string), .init("score", .int64),
                        .init("words", .string, isOptional: true),
                    ],
                    relationships: [
                        .init("team", to: "Team", inverse: "players"),
                        .init("waitsFor", to: "Team", inverse: "reserves"),
                        .init("leads", to: "Team", inverse: "captain"),
                        .init("likes", to: "Tag", inverse: "fans", isToMany: true, isOrdered: true),
                        .init("rivals", to: "Player", inverse: "rivals", isToMany: true),
                    ]),
                .init(
                    "Tag", attributes: [.init("word", .string)],
                    relationships: [.init("fans", to: "Player", inverse: "likes", isToMany: true)]),
            ] + (hasKeepers ? [keeper] : []))
    }

    static let hints = MigrationHints(
        removed: ["Player.tags", "Tag.players"], acceptedLosses: ["Player.tags", "Tag.players"])

    /// Players with a score are active, the best of them is the captain, and the others are substitutes in reverse order.
    static func team(batchSize: Int = 1000) -> MigrationStage {
        MigrationStage(
            "Team", filling: ["roster", "captain", "players", "reserves"], reading: ["players"],
            batchSize: batchSize
        ) { team in
            let players = try team.related("players")
            team["roster"] = .string(players.map { $0.text("name") }.joined(separator: ", "))
            let scorers = players.filter { $0["score"] != .int(0) }
            team[keys: "captain"] = scorers.prefix(1).map(\.key)
            team[keys: "players"] = scorers.map(\.key)
            team[keys: "reserves"] = players.filter { $0["score"] == .int(0) }.map(\.key).reversed()
        }
    }

    /// The last tag is the preferred one; rivals stay.
    static func player(batchSize: Int = 1000) -> MigrationStage {
        MigrationStage(
            "Player", filling: ["words", "likes", "rivals"], reading: ["tags", "team"], batchSize: batchSize
        ) { player in
            let tags = try player.related("tags")
            let team = try player.related("team").first?.text("name") ?? "none"
            let words = ([team, player.entityName] + tags.map { $0.text("word") }).joined(separator: " ")
            player["words"] = .string(words + player.text("gloves"))
            player[keys: "likes"] = tags.map(\.key).reversed()
        }
    }

    static func versions(_ stages: [MigrationStage]) throws -> [ModelVersion] {
        [ModelVersion("V1", try older()), ModelVersion("V2", try newer(), hints: hints, stages: stages)]
    }

    /// Creates teams with the given number of players: the first half have a score, and the last one is a keeper and the rival of the
    /// first.
    static func fill(_ context: ObjectContext, teams: Int, players: Int) throws {
        let tags = try (0..<3).map { try context.make("Tag", ["word": .string("w\($0)")]) }
        for number in 0..<teams {
            let team = try context.make("Team", ["name": .string("t\(number)")])
            var members: [ManagedObject] = []
            for place in 0..<players {
                let isLast = place == players - 1
                let values: [String: StoredValue] = [
                    "name": .string("p\(number).\(place)"), "score": .int(place * 2 < players ? 1 : 0),
                ]
                let player = try context.make(
                    isLast ? "Keeper" : "Player",
                    values.merging(isLast ? ["gloves": .string("!")] : [:]) { $1 })
                try player.set("tags", to: Array(tags.prefix(place % 4)))
                members.append(player)
            }
            // The order differs from that of the insertions.
            try team.set("players", to: Array(members.reversed()))
            if let first = members.first, let last = members.last { try first.set("rivals", to: [last]) }
        }
    }

    /// Describes all objects of the newer version.
    static func words(_ context: ObjectContext) throws -> [String] {
        func names(_ objects: [ManagedObject], _ attribute: String = "name") throws -> String {
            try objects.map { try $0[attribute].text }.joined(separator: " ")
        }
        func name(_ object: ManagedObject?) throws -> String { try object.map { try $0["name"].text } ?? "-" }
        let teams = try context.all("Team").map { team in
            """
            \(try team["name"].text): \(try team["roster"].text); \(try name(team.object("captain"))); \
            \(try names(team.objects("players"))); \(try names(team.objects("reserves")))
            """
        }
        let players = try context.all("Player").sorted { try $0["name"].text < $1["name"].text }.map {
            player in
            """
            \(try player["name"].text): \(try player["words"].text); \(try names(player.objects("likes"), "word")); \
            \(try name(player.object("team"))) \(try name(player.object("waitsFor"))) \(try name(player.object("leads"))); \
            \(try names(player.objects("rivals")))
            """
        }
        let tags = try context.all("Tag").map { "\(try $0["word"].text): \(try $0.objects("fans").count)" }
        return teams + players + tags
    }

    /// Returns the expected description for teams of four players.
    static func expected(teams: Int) -> [String] {
        let numbers = 0..<teams
        return numbers.map {
            "t\($0): p\($0).3, p\($0).2, p\($0).1, p\($0).0; p\($0).1; p\($0).1 p\($0).0; p\($0).2 p\($0).3"
        }
            + numbers.flatMap { number in
                let (team, name) = ("t\(number)", "p\(number)")
                return [
                    "\(name).0: \(team) Player; ; \(team) - -; \(name).3",
                    "\(name).1: \(team) Player w0; w0; \(team) - \(team); ",
                    "\(name).2: \(team) Player w0 w1; w1 w0; - \(team) -; ",
                    "\(name).3: \(team) Keeper w0 w1 w2!; w2 w1 w0; - \(team) -; \(name).0",
                ]
            } + ["w0: \(teams * 3)", "w1: \(teams * 2)", "w2: \(teams)"]
    }
}

extension StoredValue {
    fileprivate var text: String {
        if case .string(let text) = self { text } else { "\(self)" }
    }
}
