import ContextCore

/// Plans the next version of a project's model.
struct VersionPlanner {
    private let call: CommandCall
    private let history: ModelHistory
    private let model: ObjectModel
    /// The reasons of accepted losses, which may be empty.
    private let reasons: [String: String]
    /// The hints that the options give.
    let hints: MigrationHints
    private let prompts: HintPrompts

    init(_ call: CommandCall, _ model: ObjectModel, reasons: [String: String]) throws {
        self.call = call
        self.model = model
        self.reasons = reasons
        history = ModelHistory(call)
        hints = try HintOptions(call: call).hints()
        prompts = HintPrompts(call)
    }

    /// Returns the frozen versions, with their stages.
    func frozenVersions() throws -> [ModelVersion] {
        let names = try history.frozenNames()
        if names.isEmpty { return [] }
        return try history.frozenVersions(call.tool.stages.filter { names.contains($0.key) }).versions
    }

    /// Plans the versions that the model needs.
    ///
    /// - Parameter stored: The store's model; nil if there is no store.
    func versions(after frozen: [ModelVersion], stored: ObjectModel?) throws -> ProjectVersions {
        let name = call.arguments.operands.first
        let isSame = frozen.last?.model.fingerprint == model.fingerprint
        guard call.arguments.has("amend") else {
            let new = try isSame ? [] : newVersions(named: name, after: frozen, stored: stored)
            return try checked(ProjectVersions(kept: frozen, newVersions: new, amended: nil))
        }
        if name != nil { throw AdminError.usage("--amend keeps the version's name, so it takes no NAME.") }
        guard let last = frozen.last else {
            throw AdminError.usage(
                "there is no frozen version to amend.", hint: "Run the command without --amend.")
        }
        if isSame { return try checked(ProjectVersions(kept: frozen, newVersions: [], amended: nil)) }
        let project = try ProjectVersions(
            kept: Array(frozen.dropLast()),
            newVersions: [amendedVersion(of: last, after: frozen.dropLast().last, stored: stored)],
            amended: last)
        return try checked(project)
    }

    /// Throws if the tool has a stage for a version that doesn't exist, because the stage would be skipped.
    private func checked(_ project: ProjectVersions) throws -> ProjectVersions {
        let names = try project.versions().versions.map(\.name)
        for name in call.tool.stages.keys.sorted() where !names.contains(name) {
            throw AdminError.configuration(
                "this tool has a migration stage for \(name), which is no version.",
                hint: "The versions are \(names.joined(separator: ", ")). Pass the name of the next one.")
        }
        return project
    }

    private func newVersions(
        named name: String?, after frozen: [ModelVersion], stored: ObjectModel?
    ) throws -> [NewVersion] {
        if let name {
            try ModelHistory.checkVersionName(name)
            if frozen.contains(where: { $0.name == name }) {
                throw AdminError.usage("there is already a version \(name).", hint: "Choose another name.")
            }
        }
        if let last = frozen.last {
            let next = version(name ?? Self.successor(of: last.name, frozen))
            return [try newVersion(next, after: last, stored: stored)]
        }
        guard let stored, stored.fingerprint != model.fingerprint else {
            return [NewVersion(first: version(name ?? Self.firstName))]
        }
        // The store may have objects, so the migration starts at its model.
        let first = ModelVersion(Self.firstName, stored)
        let second = version(name ?? Self.successor(of: first.name, []))
        if second.name == first.name {
            throw AdminError.usage(
                "the store's model becomes \(first.name), so the next version can't have that name.",
                hint: "Choose another name.")
        }
        return [NewVersion(first: first), try newVersion(second, after: first, stored: stored)]
    }

    private func newVersion(
        _ version: ModelVersion, after older: ModelVersion, stored: ObjectModel?
    ) throws -> NewVersion {
        var version = version
        version.hints = version.hints.merging(hints(for: older.model, stored: stored))
        return try NewVersion(version, after: older, reasons: reasons, prompts)
    }

    /// Returns the options' hints, without those that apply only to the store, whose model may be none of the versions.
    private func hints(for older: ObjectModel, stored: ObjectModel?) -> MigrationHints {
        let ofStore = stored.map { hints.formerParts.filter($0.has) } ?? []
        return hints.filter { older.has($0) || !ofStore.contains($0) }
    }

    private func version(_ name: String) -> ModelVersion {
        ModelVersion(name, model, stages: call.tool.stages[name] ?? [])
    }

    // MARK: Names

    static let firstName = "V1"

    /// Returns the next name that no version has: `V10` after `V9`.
    static func successor(of name: String, _ versions: [ModelVersion]) -> String {
        let digits = String(name.reversed().prefix { "0123456789".contains($0) }.reversed())
        // A longer number could overflow, so it is part of the name.
        let known = digits.count < 10 ? Int(digits) : nil
        let stem = known == nil ? name : String(name.dropLast(digits.count))
        var number = known ?? 1
        var next: String
        repeat {
            number += 1
            next = "\(stem)\(number)"
        } while versions.contains(where: { $0.name == next })
        return next
    }

    // MARK: Amending

    /// Plans the last version again, with the decisions of its migration file that still apply.
    private func amendedVersion(
        of last: ModelVersion, after older: ModelVersion?, stored: ObjectModel?
    ) throws -> NewVersion {
        guard let older else { return NewVersion(first: version(last.name)) }
        if older.model.fingerprint == model.fingerprint {
            throw AdminError.refused(
                "the model is the same as \(older.name), so \(last.name) would change nothing.",
                hint:
                    "Remove \(history.modelPath(last.name)) and \(history.manifestPath(older.name, last.name)), "
                    + "and run the command without --amend.")
        }
        var amended = version(last.name)
        let renamed = hints.formerParts
        amended.hints = MigrationHints(
            renames: last.hints.renames.filter { model.has($0.key) },
            removed: last.hints.removed.filter { !model.has($0) && !renamed.contains($0) },
            conversions: last.hints.conversions.filter { model.has($0.key) })
        amended.hints = amended.hints.merging(hints(for: older.model, stored: stored))
        let known = try history.manifest(to: last.name)?.reasons ?? [:]
        return try NewVersion(amended, after: older, reasons: known.merging(reasons) { $1 }, prompts)
    }
}

extension MigrationHints {
    /// The parts of the older model that were renamed or removed: `Game`, or `Game.title`.
    fileprivate var formerParts: Set<String> { Set(renames.keys.map(formerPart)).union(removed) }

    /// Returns the path of a renamed part in the older model.
    private func formerPart(_ path: String) -> String {
        let part = ModelPart(path)
        let former = renames[path] ?? ""
        return part.property == nil ? former : "\(renames[part.entity] ?? part.entity).\(former)"
    }

    /// Returns the hints about the former parts for which a condition is true, and all conversions.
    fileprivate func filter(_ isIncluded: (String) -> Bool) -> MigrationHints {
        MigrationHints(
            renames: renames.filter { isIncluded(formerPart($0.key)) }, removed: removed.filter(isIncluded),
            conversions: conversions)
    }

    /// Returns the hints with others added, which take precedence.
    func merging(_ others: MigrationHints) -> MigrationHints {
        MigrationHints(
            renames: renames.merging(others.renames) { $1 }, removed: removed.union(others.removed),
            conversions: conversions.merging(others.conversions) { $1 },
            acceptedLosses: acceptedLosses.union(others.acceptedLosses))
    }
}

extension ObjectModel {
    /// Whether the model has the entity, or the entity the property: `Game`, or `Game.title`.
    fileprivate func has(_ path: String) -> Bool {
        let part = ModelPart(path)
        guard let layout = layout(named: part.entity) else { return false }
        return part.property.map { layout.property(named: $0) != nil } ?? true
    }
}
