extension ModelProblem {
    /// The kind of a problem.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, which stays the same in all versions.
        public let description: String

        private init(_ name: String) {
            description = name
        }
    }
}

extension ModelProblem.Code {
    // MARK: Names

    /// A name has characters other than ASCII letters, digits and underscores.
    public static let invalidName = Self("invalidName")
    /// A name is reserved for the library or for stores.
    public static let reservedName = Self("reservedName")
    /// The SQL form of a name is longer than PostgreSQL allows.
    public static let nameTooLong = Self("nameTooLong")
    /// Two entities, or two properties in the same table, have the same name.
    public static let duplicateName = Self("duplicateName")
    /// Two names differ only in case, or have the same SQL form.
    public static let collidingName = Self("collidingName")

    // MARK: Inheritance and classes

    /// The superentity isn't in the model.
    public static let unknownSuperentity = Self("unknownSuperentity")
    /// An entity inherits from itself.
    public static let inheritanceCycle = Self("inheritanceCycle")
    /// The class of an entity contradicts the entity's name or superentity, or belongs to another entity too.
    public static let contradictoryClass = Self("contradictoryClass")

    // MARK: Attributes

    /// A type has parameters that stores don't support.
    public static let invalidType = Self("invalidType")
    /// A default isn't a valid value of the attribute.
    public static let invalidDefault = Self("invalidDefault")
    /// A default differs each time the class describes its entity.
    public static let varyingDefault = Self("varyingDefault")
    /// A codable attribute needs a default, because the library can't create a placeholder of its type.
    public static let missingDefault = Self("missingDefault")
    /// A rule doesn't fit the attribute's type, or contradicts itself.
    public static let invalidRule = Self("invalidRule")
    /// A derived attribute can't be computed.
    public static let invalidDerivation = Self("invalidDerivation")
    /// A transformer is missing, or doesn't fit the attribute.
    public static let invalidTransformer = Self("invalidTransformer")
    /// The attribute can't have external storage.
    public static let invalidExternalStorage = Self("invalidExternalStorage")

    // MARK: Relationships

    /// The destination isn't in the model.
    public static let unknownDestination = Self("unknownDestination")
    /// A to-many relationship has no inverse.
    public static let missingInverse = Self("missingInverse")
    /// The inverse isn't a relationship of the destination.
    public static let unknownInverse = Self("unknownInverse")
    /// The inverse refers to another entity, or has another inverse.
    public static let contradictoryInverse = Self("contradictoryInverse")
    /// A relationship's order, optionality or counts contradict its kind.
    public static let contradictoryRelationship = Self("contradictoryRelationship")
    /// The delete rules of a relationship and its inverse prevent every deletion.
    public static let contradictoryDeleteRules = Self("contradictoryDeleteRules")
    /// No object can be saved, because it requires an object of an abstract entity without concrete subentities.
    public static let unsatisfiableRelationship = Self("unsatisfiableRelationship")

    // MARK: Indexes and constraints

    /// An index uses properties that can't be indexed.
    public static let invalidIndex = Self("invalidIndex")
    /// A unique constraint uses properties that can't be compared.
    public static let invalidConstraint = Self("invalidConstraint")
}
