/// The store of the browser's tests: games with players, and script in values.
enum Club {
    /// A value that would change the page if it became markup.
    static let script =
        #"</script><script>document.title='planted'</script><img src=x onerror=alert(1)>"#

    static let model = """
        {"entities":{\
        "Game":{"attributes":{"title":{"minimumLength":1,"type":"string"}},\
        "relationships":{"players":{"deleteRule":"cascade","inverse":"game","to":"Player","toMany":true}}},\
        "Player":{"attributes":{"born":{"optional":true,"type":"date"},\
        "name":{"maximumLength":200,"minimumLength":1,"type":"string"},\
        "score":{"default":0,"minimum":0,"type":"int64"}},"indexes":[{"properties":["score"]}],\
        "relationships":{"game":{"inverse":"players","optional":true,"to":"Game"}}}},"format":1}
        """

    /// An export with a number of players.
    ///
    /// The scores of `Player 1` and the following ones are 0, 1 and so on. Three of them play Game:3, the others Game:1.
    static func export(players: Int) -> String {
        let games = ["Go", script, "Mill"].enumerated().map { index, title in
            """
            {"entity":"Game","id":\(index + 1),"to":{},"values":{"title":"\(title)"},"version":1}

            """
        }
        let lines = (1...players).map { number in
            """
            {"entity":"Player","id":\(number),"to":{"game":\(number <= 3 ? 3 : 1)},\
            "values":{"name":"Player \(number)","score":\(number - 1)},"version":1}

            """
        }
        return #"{"model":\#(model),"schema":"storectl.export/1"}"# + "\n" + games.joined()
            + lines.joined()
    }
}
