/// One version of a model, and how a store of the version before becomes one of it.
///
/// ```swift
/// let second = ModelVersion(
///     "V2", try ObjectModel(contentsOf: folder.appending(path: "V2.model.json")),
///     hints: MigrationHints(conversions: ["Product.price": "cents / 100"]))
/// ```
public struct ModelVersion: Sendable {
    /// What people call it: `V2`.
    public let name: String
    /// The model.
    public let model: ObjectModel
    /// What is known of the way from the version before.
    public var hints: MigrationHints
    /// What Swift does on that way.
    public var stages: [MigrationStage]

    /// Describes a version.
    public init(
        _ name: String, _ model: ObjectModel, hints: MigrationHints = MigrationHints(),
        stages: [MigrationStage] = []
    ) {
        self.name = name
        self.model = model
        self.hints = hints
        self.stages = stages
    }

    /// Whether values become others on the way from the version before, by a conversion or in Swift.
    var changesValues: Bool { !hints.conversions.isEmpty || !stages.isEmpty }
}

/// The versions of a model, the oldest first.
///
/// A store goes from each to the next, and never past one: what a version in the middle says, for instance a default, is done.
public struct ModelVersions: Sendable {
    /// The versions, the oldest first.
    public let versions: [ModelVersion]
    /// Whether a store of a model that is none of them is compared with the first.
    package let infersFirst: Bool
    /// Whether hints without effect are refused also where the way is inferred.
    ///
    /// A program may open stores of several ages by the same hints, not all of which then have an effect on each.
    package var checksInferredHints = false

    /// Chains versions.
    ///
    /// - Parameter versions: The oldest first; at least one, and no two of one name.
    /// - Throws: ``StoreError/Code/configuration`` where there is none, or a name comes twice.
    public init(_ versions: [ModelVersion]) throws(StoreError) {
        guard let last = versions.last else {
            throw StoreError(
                .configuration, "There are no versions of the model.", remedy: "Name at least one.")
        }
        var names: Set<String> = []
        for version in versions where !names.insert(version.name).inserted {
            throw StoreError(
                .configuration, "Two versions of the model are called \(version.name).",
                remedy: "Give each a name of its own; the last one is \(last.name).")
        }
        self.versions = versions
        infersFirst = false
    }

    /// A model without a past: what a store needs is inferred from the model that it keeps.
    ///
    /// Stores may be of several ages, so hints that have no effect on one of them are no error, as they are between versions.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - hints: What is known of the way from the store's model.
    public init(inferringTo model: ObjectModel, hints: MigrationHints = MigrationHints()) {
        versions = [ModelVersion(Self.inferredName, model, hints: hints)]
        infersFirst = true
    }

    /// What the one version is called of a model without a past.
    package static let inferredName = "the program's model"

    /// The version that stores end at.
    public var last: ModelVersion { versions[versions.count - 1] }

    /// The ways that a store of a model has to go, one after the other.
    ///
    /// - Parameters:
    ///   - stored: The model of the store.
    ///   - name: The version at which the store is to end; nil for the last.
    /// - Throws: ``StoreError/Code/modelMismatch`` where the store's model is none of the versions, or comes after the one that is
    ///   wanted; ``StoreError/Code/migrationRefused`` where it can't be told what was renamed.
    public func transitions(
        from stored: ObjectModel, to name: String? = nil
    ) throws(StoreError) -> [ModelTransition] {
        let end = try index(of: name)
        if stored.fingerprint == versions[end].model.fingerprint { return [] }
        var chain: [ModelVersion]
        let isStored: (ModelVersion) -> Bool = { $0.model.fingerprint == stored.fingerprint }
        // Two versions may be alike, where one takes back what one between them has changed.
        if let start = versions[...end].lastIndex(where: isStored) ?? versions.lastIndex(where: isStored) {
            guard start < end else { throw Self.newer(versions[start].name, than: versions[end].name) }
            chain = Array(versions[start...end])
        } else if infersFirst {
            chain = [ModelVersion("the store's model", stored)] + versions[...end]
        } else {
            throw StoreError(
                .modelMismatch, "The store's model is none of the versions that are known.",
                remedy: "Add the version that it was made with; nothing was changed.",
                detail: "The store's model is \(stored.fingerprint).")
        }
        // The model that a store keeps is the one that its rows were written with.
        chain[0] = ModelVersion(chain[0].name, stored)
        var transitions: [ModelTransition] = []
        for (from, to) in zip(chain, chain.dropFirst()) {
            let isInferred = infersFirst && transitions.isEmpty
            transitions.append(
                try ModelTransition(from: from, to: to, checksHints: !isInferred || checksInferredHints))
        }
        return transitions
    }

    /// Throws if a name is none of the versions'; nil stands for the last one.
    package func checkVersion(_ name: String?) throws(StoreError) { _ = try index(of: name) }

    private func index(of name: String?) throws(StoreError) -> Int {
        guard let name else { return versions.count - 1 }
        if let index = versions.firstIndex(where: { $0.name == name }) { return index }
        let near = Spelling.nearest(to: name, among: versions.map(\.name)).map { "Did you mean \($0)?" }
        throw StoreError(.configuration, "There is no version \(name) of the model.", remedy: near)
    }

    private static func newer(_ stored: String, than wanted: String) -> StoreError {
        StoreError(
            .modelMismatch, "The store is of version \(stored) already, which comes after \(wanted).",
            remedy: "Update the program; a store never goes back. Nothing was changed.")
    }
}
