/// The names of what a store keeps for itself.
///
/// All of them begin with an underscore, which no name of a model does.
package enum StoreNames {
    // MARK: Columns of every table of objects

    /// The key.
    package static let key = "_id"
    /// The version, which grows with every save that changes the row.
    package static let version = "_version"
    /// The number of the row's entity, in tables that several entities share.
    package static let entity = "_entity"

    // MARK: Columns of tables of links

    /// Where a link stands among those of its owner.
    package static let position = "_order"
    /// Where a link stands among those of its target.
    package static let inversePosition = "_inverse_order"

    // MARK: Columns of tables of values

    /// The key of the row that a value belongs to.
    package static let owner = "_owner"
    /// The version of that row when the value was saved.
    package static let stamp = "_stamp"
    /// The value.
    package static let externalValue = "_value"

    // MARK: Aliases in statements

    /// A table in a subquery whose condition names a table of the query around it.
    ///
    /// The alias of no table of a model is the same, so the
    /// condition can't name the wrong one.
    static let referred = "_referred"
    /// A query from which an UPDATE takes its values.
    static let computed = "_computed"

    // MARK: Tables

    /// Who the store is: one row.
    package static let metadata = "_store_metadata"
    /// The models that the store was made and migrated with, as JSON, by version.
    package static let models = "_store_models"
    /// The numbers of the entities.
    package static let entities = "_store_entities"
    /// The next free key of each inheritance tree.
    package static let keys = "_store_keys"
    /// What was saved, a row a save.
    package static let history = "_store_history"
    /// The migrations that were made.
    package static let migrations = "_store_migrations"
}
