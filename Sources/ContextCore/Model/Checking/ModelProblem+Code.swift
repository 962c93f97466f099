extension ModelProblem {
    /// Names a kind of problem.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name, which never changes.
        public let description: String

        private init(_ name: String) {
            description = name
        }
    }
}

extension ModelProblem.Code {
    // MARK: Names

    /// A name has other characters than letters, digits and underscores.
    public static let invalidName = Self("invalidName")
    /// A name belongs to the library or to a store.
    public static let reservedName = Self("reservedName")
    /// A name, with what SQL adds to it, is longer than PostgreSQL allows.
    public static let nameTooLong = Self("nameTooLong")
    /// Two entities, or two properties that share a table, have the same name.
    public static let duplicateName = Self("duplicateName")
    /// Two names differ only in case, or become the same column or table.
    public static let collidingName = Self("collidingName")

    // MARK: Inheritance and classes

    /// The superentity isn't in the model.
    public static let unknownSuperentity = Self("unknownSuperentity")
    /// An entity inherits from itself.
    public static let inheritanceCycle = Self("inheritanceCycle")
    /// The class of an entity's objects doesn't fit its place in the model.
    public static let contradictoryClass = Self("contradictoryClass")

    // MARK: Attributes

    /// A type has parameters that no store can keep.
    public static let invalidType = Self("invalidType")
    /// A default isn't a value that the attribute may have.
    public static let invalidDefault = Self("invalidDefault")
    /// A default differs each time the class is asked for it.
    public static let varyingDefault = Self("varyingDefault")
    /// An attribute kept as JSON needs a default, because its type has no value that could stand in its place.
    public static let missingDefault = Self("missingDefault")
    /// A rule doesn't fit the attribute's type, or contradicts itself.
    public static let invalidRule = Self("invalidRule")
    /// A derived attribute can't be worked out.
    public static let invalidDerivation = Self("invalidDerivation")
    /// A transformer is missing, or doesn't fit the attribute.
    public static let invalidTransformer = Self("invalidTransformer")
    /// The attribute can't be kept outside its row.
    public static let invalidExternalStorage = Self("invalidExternalStorage")

    // MARK: Relationships

    /// The destination isn't in the model.
    public static let unknownDestination = Self("unknownDestination")
    /// A to-many relationship has no inverse.
    public static let missingInverse = Self("missingInverse")
    /// The inverse isn't a relationship of the destination.
    public static let unknownInverse = Self("unknownInverse")
    /// The inverse leads elsewhere, or has another inverse.
    public static let contradictoryInverse = Self("contradictoryInverse")
    /// A relationship's order, optionality or counts contradict what it is.
    public static let contradictoryRelationship = Self("contradictoryRelationship")
    /// Delete rules that let no object ever be deleted.
    public static let contradictoryDeleteRules = Self("contradictoryDeleteRules")
    /// No object can ever be saved, because another that it needs can't exist.
    public static let unsatisfiableRelationship = Self("unsatisfiableRelationship")

    // MARK: Indexes and constraints

    /// An index can't be made of what it names.
    public static let invalidIndex = Self("invalidIndex")
    /// A unique constraint can't be made of what it names.
    public static let invalidConstraint = Self("invalidConstraint")
}
