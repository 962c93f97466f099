#if Postgres
import Foundation

/// A notification from the server.
struct ServerNotification {
    let channel: String
    let payload: String
}

/// The channel of notifications about the commits to a store.
///
/// Channels belong to the database and not to a schema, so the name contains the store's identifier.
struct NotificationChannel: Sendable {
    let name: String
    /// The payload by which an open store recognizes its own notifications.
    let sender: String

    init(storeID: UUID) {
        name = "context_store_\(storeID.uuidString.lowercased())"
        sender = UUID().uuidString.lowercased()
    }

    /// Returns whether a notification is about a commit that this open store hasn't made.
    func isFromOtherStore(_ notification: ServerNotification) -> Bool {
        notification.channel == name && notification.payload != sender
    }

    /// The statement that listens to the channel.
    var listenStatement: String { "LISTEN \"\(name)\"" }

    /// The function call that notifies other processes at the commit; the server sends one notification per transaction.
    var notifyCall: String { "pg_catalog.pg_notify('\(name)', '\(sender)')" }

    /// The statement that notifies other processes at the commit.
    var notifyStatement: String { "SELECT \(notifyCall)" }
}
#endif
