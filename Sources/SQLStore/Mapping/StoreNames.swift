/// The names of the store's own columns and tables.
///
/// All of them begin with an underscore, which no name in a model does.
package enum StoreNames {
    // MARK: Columns of every table of objects

    /// The key.
    package static let key = "_id"
    /// The version, which each save that changes the row increments.
    package static let version = "_version"
    /// The number of the row's entity, in tables that several entities share.
    package static let entity = "_entity"

    // MARK: Columns of join tables

    /// The position of a link among those of its owner.
    package static let position = "_order"
    /// The position of a link among those of its target.
    package static let inversePosition = "_inverse_order"

    // MARK: Columns of tables of external values

    /// The key of the row that a value belongs to.
    package static let owner = "_owner"
    /// The version of that row when the value was saved.
    package static let stamp = "_stamp"
    /// The value.
    package static let externalValue = "_value"

    // MARK: Aliases in statements

    /// The table of a subquery whose condition names a table of the outer query.
    ///
    /// No table of a model has the same alias, so the condition can't refer to the wrong table.
    static let referred = "_referred"
    /// A subquery that provides the values of an UPDATE.
    static let computed = "_computed"

    // MARK: Tables

    /// The store's identity and settings: one row.
    package static let metadata = "_store_metadata"
    /// The models that the store was created and migrated with, as JSON, by version.
    package static let models = "_store_models"
    /// The numbers of the entities.
    package static let entities = "_store_entities"
    /// The next free key of each inheritance tree.
    package static let keys = "_store_keys"
    /// The history, one row per save.
    package static let history = "_store_history"
    /// The completed migrations.
    package static let migrations = "_store_migrations"
}
