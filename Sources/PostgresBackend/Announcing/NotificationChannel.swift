#if Postgres
import Foundation

/// A notification as the server delivers it.
struct ServerNotification {
    let channel: String
    let payload: String
}

/// The channel of notifications about the commits to a store.
///
/// A channel belongs to the database and not to a schema, so it is named after the store.
struct NotificationChannel: Sendable {
    let name: String
    /// By what a store knows its own notifications.
    let sender: String

    init(storeID: UUID) {
        name = "context_store_\(storeID.uuidString.lowercased())"
        sender = UUID().uuidString.lowercased()
    }

    /// Whether somebody else has committed to the store.
    func isOfOthers(_ notification: ServerNotification) -> Bool {
        notification.channel == name && notification.payload != sender
    }

    /// The statement that begins to listen.
    var listening: String { "LISTEN \"\(name)\"" }

    /// A call that notifies others when the transaction is committed, and once however often it is run in it.
    var notifyingCall: String { "pg_catalog.pg_notify('\(name)', '\(sender)')" }

    /// The same as a statement.
    var notifying: String { "SELECT \(notifyingCall)" }
}
#endif
