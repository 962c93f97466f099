import ContextCore

/// An event of a live view of a store.
struct LiveEvent: Sendable, Equatable {
    enum Name: String, Sendable {
        /// The store was opened: at the start, and again after an error, a migration or its replacement.
        case opened
        /// A save, as a row of `history list`.
        case save
        /// The document of `activity`.
        case activity
        /// The counts of a ``RateWindow``.
        case rates
        /// The store can't be read now; the next event `opened` ends that.
        case error
    }

    let name: Name
    /// The number of a save, from which a client that has lost its connection continues.
    var id: Int64?
    let data: JSONValue

    /// The event in the format of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    var text: String {
        "event: \(name.rawValue)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: \(data.text)\n\n"
    }
}
