import ContextCore

/// The versions of a Core Data model as versions of this library, with the migrations that Core Data would infer between them.
struct CoreDataVersions {
    struct Version {
        let name: String
        let model: ObjectModel
        fileprivate let conversion: CoreDataConversion
    }

    /// The versions, oldest first, without those that are equal to the version before.
    private(set) var versions: [Version] = []
    /// The migrations from each version to the next.
    private(set) var manifests: [MigrationManifest] = []
    /// Sentences about what has no place in the last version, and about changes that need a decision.
    private(set) var remarks: [String] = []

    init(_ file: CoreDataModelFile) throws {
        for version in file.versions {
            var conversion = CoreDataConversion(version.model)
            let model = try conversion.validModel()
            if let last = versions.last, last.model.fingerprint == model.fingerprint {
                remarks.append("\(version.name): left out, because it is equal to \(last.name).")
                continue
            }
            versions.append(Version(name: Self.name(version.name), model: model, conversion: conversion))
        }
        for (old, new) in zip(versions, versions.dropFirst()) { addManifest(from: old, to: new) }
        remarks += versions.last?.conversion.remarks.map(\.sentence) ?? []
    }

    /// Returns a name without the characters that the files of versions can't have.
    private static func name(_ name: String) -> String {
        String(name.map { "/- \t\n".contains($0) ? "_" : $0 })
    }

    private mutating func addManifest(from old: Version, to new: Version) {
        let names = CoreDataRenames(from: old.conversion, to: new.conversion)
        var hints = MigrationHints(renames: names.renames, removed: names.removed)
        let from = ModelVersion(old.name, old.model)
        do throws(StoreError) {
            let losses = try ModelTransition(from: from, to: ModelVersion(new.name, new.model, hints: hints))
                .losses
            hints.acceptedLosses = Set(losses)
            let transition = try ModelTransition(
                from: from, to: ModelVersion(new.name, new.model, hints: hints))
            let reasons = losses.map { ($0, "Not in \(new.name) any more.") }
            manifests.append(
                MigrationManifest(
                    transition, reasons: Dictionary(reasons, uniquingKeysWith: { first, _ in first })))
            remarks += transition.undecided.map { "\(old.name)-\(new.name): undecided: \($0.description)" }
        } catch {
            remarks.append("\(old.name)-\(new.name): \(error.message) Write it with 'storectl migrate new'.")
        }
    }
}

/// The renames and removals between two versions of a Core Data model, in the names of the models made from them.
///
/// A part is the same in both versions if it has the same name or, in the newer version, the older one's name as its renaming identifier.
struct CoreDataRenames {
    /// The older names, by the newer ones: `Match`, or `Match.title`.
    private(set) var renames: [String: String] = [:]
    /// The entities and properties of the older version that the newer one doesn't have: `Game`, or `Game.title`.
    private(set) var removed: Set<String> = []

    /// The names of the older version's entities in its source, by those of the newer version's.
    private var formerEntities: [String: String] = [:]

    init(from old: CoreDataConversion, to new: CoreDataConversion) {
        let olds = old.source.entities.map { ($0.name, $0.renamingIdentifier) }
        for entity in new.source.entities {
            formerEntities[entity.name] = Self.match(
                entity.name, entity.renamingIdentifier, among: olds)
        }
        for entity in new.source.entities {
            guard let former = formerEntities[entity.name],
                let oldName = old.entityNames[former], let newName = new.entityNames[entity.name],
                let oldEntity = old.source.entity(named: former)
            else { continue }
            if oldName != newName { renames[newName] = oldName }
            addProperties(from: oldEntity, old, to: entity, new, oldName: oldName, newName: newName)
        }
        let kept = Set(formerEntities.values)
        for entity in old.source.entities where !kept.contains(entity.name) {
            if let name = old.entityNames[entity.name] { removed.insert(name) }
        }
    }

    private mutating func addProperties(
        from oldEntity: CoreDataModel.Entity, _ old: CoreDataConversion, to newEntity: CoreDataModel.Entity,
        _ new: CoreDataConversion, oldName: String, newName: String
    ) {
        let olds = Self.properties(of: oldEntity)
        var kept: Set<String> = []
        for (name, identifier) in Self.properties(of: newEntity) {
            guard let former = Self.match(name, identifier, among: olds),
                let oldProperty = old.propertyNames[.init(entity: oldEntity.name, name: former)],
                let newProperty = new.propertyNames[.init(entity: newEntity.name, name: name)]
            else { continue }
            kept.insert(former)
            if oldProperty != newProperty { renames["\(newName).\(newProperty)"] = oldProperty }
            renameAddedInverse(
                of: .init(entity: oldEntity.name, name: former), in: old,
                to: .init(entity: newEntity.name, name: name), in: new)
        }
        for (name, _) in olds where !kept.contains(name) {
            guard let property = old.propertyNames[.init(entity: oldEntity.name, name: name)],
                new.name(of: name, in: newEntity.name) == nil
            else { continue }
            removed.insert("\(oldName).\(property)")
        }
    }

    /// Adds the rename of the inverse that was added to a relationship in both versions; its name contains the entity's.
    private mutating func renameAddedInverse(
        of oldProperty: CoreDataFacts.Property, in old: CoreDataConversion,
        to newProperty: CoreDataFacts.Property, in new: CoreDataConversion
    ) {
        guard let oldInverse = old.addedInverses[oldProperty],
            let newInverse = new.addedInverses[newProperty],
            oldInverse != newInverse, let destination = new.destination(of: newProperty),
            let former = formerEntities[destination], former == old.destination(of: oldProperty),
            let name = new.entityNames[destination]
        else { return }
        renames["\(name).\(newInverse)"] = oldInverse
    }

    private static func properties(of entity: CoreDataModel.Entity) -> [(String, String?)] {
        entity.attributes.map { ($0.name, $0.renamingIdentifier) }
            + entity.relationships.map { ($0.name, $0.renamingIdentifier) }
    }

    /// Returns the older name of a part; nil if it is new.
    private static func match(_ name: String, _ identifier: String?, among olds: [(String, String?)])
        -> String?
    {
        if olds.contains(where: { $0.0 == name }) { return name }
        guard let identifier else { return nil }
        return olds.first { $0.0 == identifier || $0.1 == identifier }?.0
    }
}
