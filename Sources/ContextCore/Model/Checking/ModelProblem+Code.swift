extension ModelProblem {
    /// Names a kind of problem.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name, which never changes.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// Two entities, or two properties of one entity, have the same name.
        public static let duplicateName = Code("duplicateName")
        /// The superentity isn't in the model.
        public static let unknownSuperentity = Code("unknownSuperentity")
        /// An entity inherits from itself.
        public static let inheritanceCycle = Code("inheritanceCycle")
        /// The destination isn't in the model.
        public static let unknownDestination = Code("unknownDestination")
        /// A to-many relationship has no inverse.
        public static let missingInverse = Code("missingInverse")
        /// The inverse isn't a relationship of the destination.
        public static let unknownInverse = Code("unknownInverse")
        /// The inverse leads elsewhere, or has another inverse.
        public static let contradictoryInverse = Code("contradictoryInverse")
    }
}
