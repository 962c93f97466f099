package import ContextCore
import Foundation

/// The state of an open store that its sessions share, as far as it is the same in both backends.
package protocol OpenStore: AnyObject {
    var storeID: UUID { get }
    /// The mapping of the model to tables.
    var mapping: StoreMapping { get }
    /// The dialect of the store's statements.
    var dialect: SQLDialect { get }
    /// The cache of rendered row statements.
    var texts: StatementTexts { get }
    /// The cache of compiled requests.
    var templates: StatementTemplates { get }
    /// The selected columns of each entity's rows.
    var selections: RowSelections { get }
}
