/// One thing in which two versions of a model differ.
public struct ModelChange: Sendable, Hashable {
    /// What was changed.
    ///
    /// More may be added, so a `switch` over them needs a `default`.
    public enum Kind: Sendable, Hashable {
        /// The entity, or the property, is new.
        case added
        /// It is gone.
        case removed
        /// It had another name.
        case renamed(from: String)
        /// The entity inherits from another one, or from none.
        case moved(from: String?, to: String?)
        /// There are objects of the entity itself no more, or now.
        case abstract(Bool)
        /// The attribute is of another type.
        case type(from: AttributeType, to: AttributeType)
        /// The attribute is stored, transient or derived otherwise.
        case storage(from: AttributeStorage, to: AttributeStorage)
        /// The attribute has another value transformer.
        case transformer(from: String?, to: String?)
        /// The property may have no value now.
        case optional
        /// The property must have a value now; those that have none get the default.
        case required(default: AttributeDefault?)
        /// The relationship leads to another entity.
        case destination(from: String, to: String)
        /// The relationship's destination has lost entities, which moved elsewhere or were removed, so that references to their objects
        /// are removed; where the relationship is required, such references stop the migration.
        case destinationsLost(moved: [String], removed: [String], isRequired: Bool)
        /// The relationship leads to many objects now, or to one.
        case toMany(Bool)
        /// The relationship keeps its objects in an order now, or no more.
        case ordered(Bool)
        /// The relationship has another inverse.
        case inverse(from: String?, to: String?)
        /// Something else becomes of the objects at the other end of a relationship when this one is deleted.
        case deleteRule(from: DeleteRule, to: DeleteRule)
        /// An index is new.
        case indexAdded(IndexDescription)
        /// An index is gone.
        case indexRemoved(IndexDescription)
        /// The values of some properties together must be unique now.
        case uniqueAdded([String])
        /// They needn't any more.
        case uniqueRemoved([String])
    }

    /// What a change is about, beside its entity.
    public enum Subject: Sendable, Hashable {
        /// The entity itself.
        case entity
        /// One of its attributes.
        case attribute(String)
        /// One of its relationships.
        case relationship(String)
    }

    /// The entity, by the name that it has in the newer model, or by its last one where it is gone.
    public let entityName: String
    /// What the change is about.
    public let subject: Subject
    /// What was changed.
    public let kind: Kind

    init(_ entityName: String, _ subject: Subject = .entity, _ kind: Kind) {
        self.entityName = entityName
        self.subject = subject
        self.kind = kind
    }
}

extension ModelChange {
    /// The attribute or the relationship that the change is about; nil where it is about the entity itself.
    package var propertyName: String? {
        switch subject {
        case .entity: nil
        case .attribute(let name), .relationship(let name): name
        }
    }

    /// What the change is about: `Game`, or `Game.title`.
    public var path: String { propertyName.map { "\(entityName).\($0)" } ?? entityName }
}

extension ModelChange {
    /// What a change means for the objects of a store.
    public enum Consequence: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// Nothing is lost, and nothing has to be decided.
        case none
        /// Objects may stand in its way: values that are missing, or not unique.
        case depends
        /// Somebody has to say how values become others.
        case needsConversion
        /// Values or objects are lost.
        case losesData

        public static func < (left: Consequence, right: Consequence) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// What the change means for the objects of a store.
    public var consequence: Consequence {
        switch (subject, kind) {
        // What was typed is gone where a value is worked out from now on, or kept nowhere.
        case (_, .removed), (_, .storage(from: .stored, to: _)): .losesData
        // Nothing brings an order back that people have made.
        case (_, .ordered(false)): .losesData
        case (_, .type(let old, let new)): old.isWidened(by: new) ? .none : .needsConversion
        case (.relationship, .toMany(false)), (_, .destination): .needsConversion
        case (_, .transformer), (_, .moved), (_, .inverse): .needsConversion
        case (_, .abstract(true)), (_, .destinationsLost(_, _, isRequired: true)): .depends
        // With the objects of an entity that is removed, the references to them are removed.
        case (_, .destinationsLost(let moved, _, _)): moved.isEmpty ? .none : .losesData
        case (.attribute, .required(default: nil)), (.relationship, .required): .depends
        case (_, .uniqueAdded): .depends
        default: .none
        }
    }
}

extension AttributeType {
    /// Whether every value of the type is one of another, unchanged.
    fileprivate func isWidened(by other: AttributeType) -> Bool {
        switch (self, other) {
        case (.int16, .int32), (.int16, .int64), (.int32, .int64), (.float, .double), (.int16, .double),
            (.int32, .double), (.url, .string):
            true
        case (.decimal(let precision, let scale), .decimal(let newPrecision, let newScale)):
            newScale >= scale && newPrecision - newScale >= precision - scale
        default: false
        }
    }
}
