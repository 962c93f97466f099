/// The store of the tests: values that can't be read without the token, some of which contain scripts.
enum StudioStore {
    static let url = "sqlite:store.sqlite"
    /// A part of every value.
    static let planted = "planted-value"
    static let script =
        #"</script><script>document.title='planted-value'</script><img src=x onerror=alert(1)>"#

    /// An export with 200 players.
    ///
    /// - Parameter padding: The number of bytes to add to each player's name, for responses of any size.
    static func export(padding: Int = 0) -> String {
        let end = String(repeating: "x", count: padding)
        let players = (1...200).map { number in
            """
            {"entity":"Player","id":\(number),"to":{"game":1},"values":{"name":"\(planted) \(number)\(end)","score":\(number)},"version":1}

            """
        }
        return games + players.joined()
    }

    private static let games = """
        {"model":{"entities":{\
        "Game":{"attributes":{"title":{"type":"string"}},"relationships":{"players":{"inverse":"game","to":"Player","toMany":true}}},\
        "Player":{"attributes":{"name":{"type":"string"},"score":{"type":"int64"}},\
        "relationships":{"game":{"inverse":"players","optional":true,"to":"Game"}}}},"format":1},"schema":"storectl.export/1"}
        {"entity":"Game","id":1,"to":{},"values":{"title":"\(planted) Go"},"version":1}
        {"entity":"Game","id":2,"to":{},"values":{"title":"\(script)"},"version":1}

        """
}
