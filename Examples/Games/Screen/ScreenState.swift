/// Everything that the screen shows.
struct ScreenState: Equatable {
    /// One line of a list.
    struct Line: Equatable {
        let name: String
        let number: String
    }

    /// A list with its visible lines.
    struct List: Equatable {
        var title = ""
        /// The visible lines.
        var lines: [Line] = []
        /// The number of lines before the visible ones.
        var first = 0
        /// The number of all lines.
        var total = 0
        /// The index of the selected line among all lines.
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
    /// The number of operations per tenth of a second, newest last.
    var pulse: [Int] = []
    var games = List()
    var players = List()
    var focus = Side.games
    /// A message of the program; empty for none.
    var notice = ""
    /// The distinct errors of this store and of stores that were open before.
    private(set) var complaints: [String] = []

    /// Records an error; it is shown, and printed again when the program ends.
    mutating func recordError(_ complaint: String) {
        if !complaints.contains(complaint) { complaints.append(complaint) }
    }

    /// Resets everything except the errors, for another store.
    mutating func reset() {
        let complaints = complaints
        self = ScreenState()
        self.complaints = complaints
    }
}
