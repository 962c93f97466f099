/// One difference between two versions of a model.
public struct ModelChange: Sendable, Hashable {
    /// The kind of a change.
    ///
    /// Later versions may add kinds, so a `switch` over them needs a `default`.
    public enum Kind: Sendable, Hashable {
        /// The entity or the property is new.
        case added
        /// The entity or the property was removed.
        case removed
        /// The entity or the property had another name.
        case renamed(from: String)
        /// The entity inherits from another entity, or from none.
        case moved(from: String?, to: String?)
        /// The entity became abstract, or is no longer abstract.
        case abstract(Bool)
        /// The attribute has another type.
        case type(from: AttributeType, to: AttributeType)
        /// The attribute's storage changed: stored, transient or derived.
        case storage(from: AttributeStorage, to: AttributeStorage)
        /// The attribute has another value transformer.
        case transformer(from: String?, to: String?)
        /// The property became optional.
        case optional
        /// The property became required; objects without a value get the default.
        case required(default: AttributeDefault?)
        /// The relationship refers to another entity.
        case destination(from: String, to: String)
        /// Entities no longer inherit from the relationship's destination, or were removed, so references to their objects are
        /// removed; if the relationship is required, such references stop the migration.
        case destinationsLost(moved: [String], removed: [String], isRequired: Bool)
        /// The relationship became to-many, or to-one.
        case toMany(Bool)
        /// The relationship became ordered, or is no longer ordered.
        case ordered(Bool)
        /// The inverse of the relationship changed; nil stands for a relationship without an inverse.
        case inverse(from: String?, to: String?)
        /// The relationship has another delete rule.
        case deleteRule(from: DeleteRule, to: DeleteRule)
        /// An index is new.
        case indexAdded(IndexDescription)
        /// An index was removed.
        case indexRemoved(IndexDescription)
        /// A unique constraint on the properties is new.
        case uniqueAdded([String])
        /// A unique constraint on the properties was removed.
        case uniqueRemoved([String])
    }

    /// The part of the entity that changed.
    public enum Subject: Sendable, Hashable {
        /// The entity itself.
        case entity
        /// One of its attributes.
        case attribute(String)
        /// One of its relationships.
        case relationship(String)
    }

    /// The name of the entity in the newer model, or its last name if it was removed.
    public let entityName: String
    /// The part of the entity that changed.
    public let subject: Subject
    /// The kind of change.
    public let kind: Kind

    init(_ entityName: String, _ subject: Subject = .entity, _ kind: Kind) {
        self.entityName = entityName
        self.subject = subject
        self.kind = kind
    }
}

extension ModelChange {
    /// The attribute or relationship that changed; nil if the entity itself changed.
    package var propertyName: String? {
        switch subject {
        case .entity: nil
        case .attribute(let name), .relationship(let name): name
        }
    }

    /// The name of what changed: `Game`, or `Game.title`.
    public var path: String { propertyName.map { "\(entityName).\($0)" } ?? entityName }
}

extension ModelChange {
    /// The effect of a change on the objects of a store.
    public enum Consequence: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// No data is lost, and no decision is needed.
        case none
        /// Objects may prevent the change: values that are missing, or not unique.
        case dependsOnData
        /// A conversion of values must be given.
        case needsConversion
        /// Values or objects are lost.
        case losesData

        public static func < (left: Consequence, right: Consequence) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The effect of the change on the objects of a store.
    public var consequence: Consequence {
        switch (subject, kind) {
        // The stored values are lost if the attribute becomes derived or transient.
        case (_, .removed), (_, .storage(from: .stored, to: _)): .losesData
        // An order that users made can't be restored.
        case (_, .ordered(false)): .losesData
        case (_, .type(let old, let new)): old.isWidened(by: new) ? .none : .needsConversion
        case (.relationship, .toMany(false)), (_, .destination): .needsConversion
        case (_, .transformer), (_, .moved), (_, .inverse): .needsConversion
        case (_, .abstract(true)), (_, .destinationsLost(_, _, isRequired: true)): .dependsOnData
        // The references to objects of a removed entity are lost with the objects.
        case (_, .destinationsLost(let moved, _, _)): moved.isEmpty ? .none : .losesData
        case (.attribute, .required(default: nil)), (.relationship, .required): .dependsOnData
        case (_, .uniqueAdded): .dependsOnData
        default: .none
        }
    }
}

extension AttributeType {
    /// Whether every value of the type is also a value of another type, unchanged.
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
