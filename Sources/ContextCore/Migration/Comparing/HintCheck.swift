/// Finds hints that have no effect on the migration between two models, usually because they are misspelled.
struct HintCheck {
    /// A hint without effect, and what to write instead.
    struct Finding: Hashable {
        let sentence: String
        let remedy: String
    }

    private let old: ObjectModel
    private let new: ObjectModel
    private let hints: MigrationHints
    private let difference: ModelDifference
    private(set) var findings: [Finding] = []

    init(_ hints: MigrationHints, from old: ObjectModel, to new: ObjectModel, _ difference: ModelDifference) {
        (self.hints, self.old, self.new, self.difference) = (hints, old, new, difference)
        for (name, former) in hints.renames.sortedByBytes(of: \.key) { checkRename(name, former) }
        for name in hints.removed.sortedByBytes(of: \.self) { checkRemoval(name) }
        for name in hints.conversions.keys.sortedByBytes(of: \.self) { checkConversion(name) }
        for name in hints.acceptedLosses.sortedByBytes(of: \.self) { checkLoss(name) }
    }

    private mutating func add(_ sentence: String, _ name: String, among names: [String], _ remedy: String) {
        let near = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)?" }
        findings.append(Finding(sentence: sentence, remedy: near ?? remedy))
    }

    // MARK: Renames

    private mutating func checkRename(_ path: String, _ former: String) {
        guard new.declares(path) else {
            if let owner = new.declaringEntity(ofPath: path) {
                add(
                    "\(path) is declared by \(owner.entity), so a rename of it has no effect.", path,
                    among: [], "Did you mean \(owner.path)?")
            } else {
                add(
                    hints.unknownRenameSentence(path, former, in: new) ?? "The newer model has no \(path).",
                    path,
                    among: new.partPaths, "Remove the rename.")
            }
            return
        }
        let part = ModelPart(path)
        guard let name = part.property else { return checkEntityRename(path, former) }
        guard let origin = difference.matching.entities[part.entity], let before = old.layout(named: origin)
        else {
            return add(
                "\(path) is declared as a rename of \(former), but \(part.entity) is new.", path, among: [],
                "Declare the rename of \(part.entity) too, or remove this one.")
        }
        let match = difference.matching.properties[part.entity]?[name]
        let identifier = match.flatMap { before.description.renamingIdentifier(of: $0) }
        if match == former || (match != nil && identifier == former) {
            let isDeclaredInModel =
                new.layout(named: part.entity)?.description.renamingIdentifier(of: name) != nil
            if name == former, !isDeclaredInModel { addIneffectiveRename(path) }
            return
        }
        let names = before.description.propertyNames
        let short = String(former.split(separator: ".").last ?? "")
        if names.contains(short), short != former {
            return findings.append(
                Finding(
                    sentence:
                        "\(path) is declared as a rename of \(former), but the older name of a property is written without an entity.",
                    remedy: "Write \(path)=\(short)."))
        }
        add(
            "\(path) is declared as a rename of \(former), but \(origin) had no such property.", former,
            among: names,
            "\(origin) had \(names.joined(separator: ", ")).")
    }

    private mutating func checkEntityRename(_ name: String, _ former: String) {
        let match = difference.matching.entities[name]
        let identifier = match.flatMap { old.layout(named: $0)?.description.renamingIdentifier }
        if match == former || (match != nil && identifier == former) {
            if name == former, new.layout(named: name)?.description.renamingIdentifier == nil {
                addIneffectiveRename(name)
            }
            return
        }
        let names = old.layouts.map(\.name)
        add(
            "\(name) is declared as a rename of \(former), but the older model has no such entity.", former,
            among: names, "The older model has \(names.joined(separator: ", ")).")
    }

    private mutating func addIneffectiveRename(_ path: String) {
        add(
            "\(path) had that name before, so the rename has no effect.", path, among: [],
            "Remove the rename.")
    }

    // MARK: Removals

    private mutating func checkRemoval(_ path: String) {
        let gone = removedPaths
        if gone.contains(path) { return }
        let part = ModelPart(path)
        if let owner = old.declaringEntity(ofPath: path), owner.path != path {
            return add(
                "\(path) was declared by \(owner.entity), so its removal has no effect.", path,
                among: [], "Did you mean \(owner.path)?")
        }
        guard old.declares(path) else {
            return add(
                "\(path) is declared as removed, but the older model has no \(path).", path, among: gone,
                gone.isEmpty
                    ? "Nothing is removed: remove the hint." : "Removed: \(gone.joined(separator: ", ")).")
        }
        if part.property != nil, gone.contains(part.entity) {
            return add(
                "\(path) is removed with \(part.entity), so its removal has no effect.", path, among: [],
                "Declare \(part.entity) as removed.")
        }
        add(
            "\(path) is declared as removed, but the newer model has it.", path, among: gone,
            "Remove the hint.")
    }

    /// The entities that the newer model no longer has, and the removed properties of its other entities.
    private var removedPaths: [String] {
        let matching = difference.matching
        return old.layouts.flatMap { layout -> [String] in
            guard let name = matching.entities.first(where: { $0.value == layout.name })?.key else {
                return [layout.name]
            }
            let kept = Set((matching.properties[name] ?? [:]).values)
            return layout.description.propertyNames.filter { !kept.contains($0) }.map {
                "\(layout.name).\($0)"
            }
        }
    }

    // MARK: Conversions and losses

    private mutating func checkConversion(_ path: String) {
        if let owner = new.declaringEntity(ofPath: path) {
            if owner.path == path { return }
            let property = new.layout(named: owner.entity)?.property(named: ModelPart(path).property ?? "")
            let subject = property?.relationship == nil ? "an attribute" : "a relationship"
            return findings.append(
                Finding(
                    sentence: "\(path) is \(subject) of \(owner.entity).",
                    remedy: "Name \(owner.path) in the conversion. Nothing was changed."))
        }
        add(
            "The newer model has no \(path), which a conversion fills.", path, among: new.partPaths,
            "Correct the conversion. Nothing was changed.")
    }

    private mutating func checkLoss(_ path: String) {
        // All changes of the models that lose data. Stages may avoid a loss, and the tool that wrote the manifest may not have the stages.
        let lost = difference.changes.filter { $0.consequence == .losesData }.map(\.path)
        if let finding = Self.ineffectiveLoss(path, among: lost) { findings.append(finding) }
    }

    /// Returns a finding if an accepted loss isn't among the losses.
    static func ineffectiveLoss(_ path: String, among lost: [String]) -> Finding? {
        if lost.contains(path) { return nil }
        let near = Spelling.nearest(to: path, among: lost).map { "Did you mean \($0)?" }
        let all =
            lost.isEmpty
            ? "Nothing is lost: remove the accepted loss." : "Lost: \(lost.joined(separator: ", "))."
        return Finding(
            sentence: "The loss of \(path) is accepted, but the migration doesn't lose it.",
            remedy: near ?? all)
    }
}

extension MigrationHints {
    /// Throws if hints have no effect on the difference of two models.
    package func check(
        from old: ObjectModel, to new: ObjectModel, _ difference: ModelDifference
    ) throws(StoreError) {
        let findings = HintCheck(self, from: old, to: new, difference).findings
        guard let first = findings.first else { return }
        throw StoreError(
            .migrationRefused, findings.map(\.sentence).joined(separator: " "), remedy: first.remedy)
    }
}

extension ModelVersions {
    /// Throws if an accepted loss occurs neither between the versions nor between the store's model and the versions.
    package func checkAcceptedLosses(_ names: Set<String>, in state: MigrationState) throws(StoreError) {
        if names.isEmpty || (infersFirst && !checksInferredHints) { return }
        let text = state.run?.fileText ?? state.models.last?.fileText
        guard let text, let model = try? ObjectModel(fileText: text) else { return }
        let ahead = try? transitions(from: model)
        if state.run == nil, ahead?.isEmpty != false { return }
        let chain = zip(versions, versions.dropFirst()).compactMap { try? ModelTransition(from: $0, to: $1) }
        let lost = (state.run?.losses ?? []) + ((ahead ?? []) + chain).flatMap(\.losses)
        var seen: Set<String> = []
        let unique = lost.filter { seen.insert($0).inserted }
        for name in names.sortedByBytes(of: \.self) {
            guard let finding = HintCheck.ineffectiveLoss(name, among: unique) else { continue }
            throw StoreError(.migrationRefused, finding.sentence, remedy: finding.remedy)
        }
    }
}

extension ObjectModel {
    /// Whether the model has the entity, or the entity declares the property: `Game`, or `Game.title`.
    fileprivate func declares(_ path: String) -> Bool {
        let part = ModelPart(path)
        guard let description = layout(named: part.entity)?.description else { return false }
        return part.property.map(description.propertyNames.contains) ?? true
    }

    /// Returns the entity that declares a property, which other entities may inherit; nil if there is no such property.
    fileprivate func declaringEntity(ofPath path: String) -> (entity: String, path: String)? {
        let part = ModelPart(path)
        guard let name = part.property, let layout = layout(named: part.entity),
            let property = layout.property(named: name)
        else { return nil }
        let owner = layout.declaringEntity(of: property.slot, in: self).name
        return (owner, "\(owner).\(name)")
    }

    /// The names of all entities and of the properties that they declare.
    fileprivate var partPaths: [String] {
        layouts.flatMap { layout in
            [layout.name] + layout.description.propertyNames.map { "\(layout.name).\($0)" }
        }
    }
}

extension EntityDescription {
    fileprivate func renamingIdentifier(of name: String) -> String? {
        attributes.first { $0.name == name }?.renamingIdentifier
            ?? relationships.first { $0.name == name }?.renamingIdentifier
    }
}
