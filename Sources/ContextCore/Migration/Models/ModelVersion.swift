/// One version of a model, with the hints and stages of the migration from the version before.
///
/// ```swift
/// let second = ModelVersion(
///     "V2", try ObjectModel(contentsOf: folder.appending(path: "V2.model.json")),
///     hints: MigrationHints(conversions: ["Product.price": "cents / 100"]))
/// ```
public struct ModelVersion: Sendable {
    /// The name of the version: `V2`.
    public let name: String
    /// The model.
    public let model: ObjectModel
    /// The hints for the migration from the version before.
    public var hints: MigrationHints
    /// The stages of the migration from the version before.
    public var stages: [MigrationStage]

    /// Creates a version.
    public init(
        _ name: String, _ model: ObjectModel, hints: MigrationHints = MigrationHints(),
        stages: [MigrationStage] = []
    ) {
        self.name = name
        self.model = model
        self.hints = hints
        self.stages = stages
    }

    /// Whether the migration from the version before converts values, with a conversion or a stage.
    var changesValues: Bool { !hints.conversions.isEmpty || !stages.isEmpty }
}

/// The versions of a model, oldest first.
///
/// A store is migrated from each version to the next without skipping any, so that the changes of each version, such as new defaults,
/// are applied.
public struct ModelVersions: Sendable {
    /// The versions, oldest first.
    public let versions: [ModelVersion]
    /// Whether a store whose model is none of the versions is compared with the first one.
    package let infersFirst: Bool
    /// Whether a hint without effect is an error even if the transition is inferred.
    ///
    /// A program may open stores of different versions with the same hints, of which some then have no effect on some stores.
    package var checksInferredHints = false

    /// Creates a sequence of versions.
    ///
    /// - Parameter versions: The versions, oldest first; at least one, with unique names.
    /// - Throws: ``StoreError/Code/configuration`` if there is none, or two have the same name.
    public init(_ versions: [ModelVersion]) throws(StoreError) {
        guard !versions.isEmpty else {
            throw StoreError(
                .configuration, "There are no versions of the model.", remedy: "Pass at least one version.")
        }
        var names: Set<String> = []
        for version in versions where !names.insert(version.name).inserted {
            throw StoreError(
                .configuration, "Two versions of the model have the name \(version.name).",
                remedy: "Give each version a unique name.")
        }
        self.versions = versions
        infersFirst = false
    }

    /// Creates versions that consist of a single model; a store's model is compared with it directly.
    ///
    /// Stores may have different models, so a hint that has no effect on a store is not an error, as it is between versions.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - hints: The hints for the migration from the store's model.
    public init(inferringTo model: ObjectModel, hints: MigrationHints = MigrationHints()) {
        versions = [ModelVersion(Self.inferredName, model, hints: hints)]
        infersFirst = true
    }

    /// The name of the version of a single model.
    package static let inferredName = "the program's model"

    /// The last version, to which stores are migrated by default.
    public var last: ModelVersion { versions[versions.count - 1] }

    /// Returns the transitions for a store of a model, in order.
    ///
    /// - Parameters:
    ///   - stored: The model of the store.
    ///   - name: The target version; nil for the last.
    /// - Throws: ``StoreError/Code/modelMismatch`` if the store's model is none of the versions, or is later than the target;
    ///   ``StoreError/Code/migrationRefused`` if the renames can't be inferred.
    public func transitions(
        from stored: ObjectModel, to name: String? = nil
    ) throws(StoreError) -> [ModelTransition] {
        let end = try index(of: name)
        if stored.fingerprint == versions[end].model.fingerprint { return [] }
        var chain: [ModelVersion]
        let isStored: (ModelVersion) -> Bool = { $0.model.fingerprint == stored.fingerprint }
        // Two versions may have the same model, if a later one reverts a change.
        if let start = versions[...end].lastIndex(where: isStored) ?? versions.lastIndex(where: isStored) {
            guard start < end else {
                throw Self.laterVersionError(versions[start].name, than: versions[end].name)
            }
            chain = Array(versions[start...end])
        } else if infersFirst {
            chain = [ModelVersion("the store's model", stored)] + versions[...end]
        } else {
            throw StoreError(
                .modelMismatch, "The store's model is none of the known versions.",
                remedy: "Add the version with which it was made. Nothing was changed.",
                detail: "The store's model is \(stored.fingerprint).")
        }
        // The stored model describes the store's rows, including what the fingerprint doesn't depend on.
        chain[0] = ModelVersion(chain[0].name, stored)
        var transitions: [ModelTransition] = []
        for (from, to) in zip(chain, chain.dropFirst()) {
            let isInferred = infersFirst && transitions.isEmpty
            transitions.append(
                try ModelTransition(from: from, to: to, checksHints: !isInferred || checksInferredHints))
        }
        return transitions
    }

    /// Throws if no version has the name; nil stands for the last version.
    package func checkVersion(_ name: String?) throws(StoreError) { _ = try index(of: name) }

    private func index(of name: String?) throws(StoreError) -> Int {
        guard let name else { return versions.count - 1 }
        if let index = versions.firstIndex(where: { $0.name == name }) { return index }
        let near = Spelling.nearest(to: name, among: versions.map(\.name)).map { "Did you mean \($0)?" }
        throw StoreError(.configuration, "There is no version \(name) of the model.", remedy: near)
    }

    private static func laterVersionError(_ stored: String, than wanted: String) -> StoreError {
        StoreError(
            .modelMismatch, "The store already has the version \(stored), which is later than \(wanted).",
            remedy: "Update the program: a store can't go back to an earlier version. Nothing was changed.")
    }
}
