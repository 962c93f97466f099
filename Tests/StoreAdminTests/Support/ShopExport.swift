import ContextCore
import Testing

@testable import StoreAdmin

/// The contents of most tests: a few games, people and samples, in the format of `data export`.
enum ShopExport {
    static let model = """
        {"entities":{\
        "Game":{"attributes":{"price":{"optional":true,"precision":10,"scale":2,"type":"decimal"},\
        "startedAt":{"optional":true,"type":"date"},"title":{"maximumLength":40,"minimumLength":1,"type":"string"}},\
        "relationships":{"fans":{"inverse":"favourites","to":"Player","toMany":true},\
        "players":{"deleteRule":"cascade","inverse":"game","to":"Player","toMany":true},\
        "rounds":{"deleteRule":"cascade","inverse":"game","ordered":true,"to":"Round","toMany":true}},"unique":[["title"]]},\
        "Person":{"abstract":true,"attributes":{"name":{"type":"string"}},\
        "relationships":{"mentor":{"inverse":"pupils","optional":true,"to":"Person"},\
        "pupils":{"inverse":"mentor","to":"Person","toMany":true}}},\
        "Player":{"attributes":{"score":{"default":0,"type":"int64"}},\
        "relationships":{"favourites":{"inverse":"fans","ordered":true,"to":"Game","toMany":true},\
        "game":{"inverse":"players","optional":true,"to":"Game"}},"superentity":"Person"},\
        "Referee":{"attributes":{"licence":{"optional":true,"type":"uuid"}},"superentity":"Person"},\
        "Round":{"attributes":{"number":{"type":"int16"}},"relationships":{"game":{"inverse":"rounds","to":"Game"}}},\
        "Sample":{"attributes":{"bytes":{"optional":true,"type":"data"},"flag":{"optional":true,"type":"bool"},\
        "json":{"optional":true,"type":"codable"},"label":{"type":"string"},"link":{"optional":true,"type":"url"},\
        "ratio":{"optional":true,"type":"double"},"single":{"optional":true,"type":"float"}}}},"format":1}
        """

    static let objects = """
        {"entity":"Game","id":1,"to":{"rounds":[2,1]},"values":{"price":12.5,"startedAt":"2026-08-01T12:00:00.250000Z","title":"Go"},"version":3}
        {"entity":"Game","id":5,"to":{},"values":{"title":"Chess, \\"fast\\""},"version":1}
        {"entity":"Player","id":1,"to":{"favourites":[5,1],"game":1,"mentor":2},"values":{"name":"Ann","score":12},"version":1}
        {"entity":"Player","id":2,"to":{"game":1,"mentor":1},"values":{"name":"Bob","score":-3},"version":1}
        {"entity":"Player","id":3,"to":{"favourites":[1],"mentor":4},"values":{"name":"Édith ","score":100},"version":2}
        {"entity":"Referee","id":4,"to":{},"values":{"licence":"6F1B2C7E-0000-4000-8000-000000000001","name":"Zoë"},"version":1}
        {"entity":"Round","id":1,"to":{"game":1},"values":{"number":1},"version":1}
        {"entity":"Round","id":2,"to":{"game":1},"values":{"number":2},"version":1}
        {"entity":"Sample","id":1,"to":{},"values":{"bytes":"AAEC","flag":true,"json":{"a":[1,2]},"label":"all","link":"https://example.com/a","ratio":0.1,"single":1.5},"version":1}
        {"entity":"Sample","id":2,"to":{},"values":{"label":"none"},"version":1}

        """

    /// The complete export.
    static var text: String { "{\"model\":\(model),\"schema\":\"storectl.export/1\"}\n" + objects }
}

extension AdminBench {
    /// Creates a store with the contents of ``ShopExport``, and returns its address.
    func makeShop(_ place: TestPlace = .sqlite) throws -> String { try makeShop(at: place.freshURL()) }

    /// Creates the store at the given address.
    func makeShop(at url: String) throws -> String {
        try write(ShopExport.text, to: "shop.jsonl")
        // The password in a test server's address must not appear on a command line.
        variables["STORECTL_URL"] = url
        let outcome = run("data", "import", "shop.jsonl")
        try #require(outcome.exit == .success, "\(outcome.problems)")
        return url
    }
}
