/// Everything that the screen shows.
struct ScreenState: Equatable {
    /// One line of a list.
    struct Line: Equatable {
        let name: String
        let number: String
    }

    /// A list, of which a part is shown.
    struct List: Equatable {
        var title = ""
        /// The lines from the first one that is shown.
        var lines: [Line] = []
        /// How many come before.
        var first = 0
        /// How many there are in all.
        var total = 0
        /// Which one is chosen, among all.
        var selected = 0
    }

    enum Side: Equatable { case games, players }

    var store = ""
    var discipline = ""
    var threads = 0
    var isPlaying = false
    var counts = Counters.Counts()
    var waits = Counters.Waits()
    var savesPerSecond = 0
    var queueLength = 0
    var memory: Int?
    /// Operations in each tenth of a second, the newest last.
    var pulse: [Int] = []
    var games = List()
    var players = List()
    var focus = Side.games
    /// What the program has to say; empty for nothing.
    var notice = ""
    /// What has gone wrong, on this store and those before, each thing once.
    private(set) var complaints: [String] = []

    /// Notes that something has gone wrong: it is shown, and said again when the program ends.
    mutating func complain(_ complaint: String) {
        if !complaints.contains(complaint) { complaints.append(complaint) }
    }

    /// Forgets everything about a store but what has gone wrong with it.
    mutating func beginAnew() {
        let complaints = complaints
        self = ScreenState()
        self.complaints = complaints
    }
}
