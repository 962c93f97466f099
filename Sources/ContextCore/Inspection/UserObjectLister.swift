/// A migrator that knows what others have made on a store's tables.
package protocol UserObjectLister: StoreMigrator {
    /// Names the triggers, views, indexes, constraints, rules and row security on the store's tables that the store did not make, and
    /// triggers of the database's own that are disabled; a sentence each.
    func userObjects() throws -> [String]
}
