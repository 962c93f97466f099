/// A migrator that lists the user-defined objects on a store's tables.
package protocol UserObjectLister: StoreMigrator {
    /// Returns a sentence for each user-defined trigger, view, index, constraint, rule and row security on the store's tables, and for
    /// each disabled trigger of the database itself.
    func userObjects() throws -> [String]
}
