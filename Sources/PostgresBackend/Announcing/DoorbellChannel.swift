#if Postgres
import Foundation

/// The channel by which those who have a store open ring for each other.
///
/// A channel belongs to the database and not to a schema, so it is named after the store.
struct DoorbellChannel: Sendable {
    /// By what a store knows its own rings.
    let sender: String
    private let name: String

    init(storeID: UUID) {
        name = "context_store_\(storeID.uuidString.lowercased())"
        sender = UUID().uuidString.lowercased()
    }

    /// The statement that begins to hear.
    var listening: String { "LISTEN \"\(name)\"" }

    /// A call that rings when the transaction is committed, and once however often it is run in it.
    var ringingCall: String { "pg_catalog.pg_notify('\(name)', '\(sender)')" }

    /// The same as a statement.
    var ringing: String { "SELECT \(ringingCall)" }
}
#endif
