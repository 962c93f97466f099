extension ModelTransition {
    /// Attributes that begin with another value in each object, for which a database writes every row.
    var volatileDefaults: [MigrationFinding] {
        difference.changes.compactMap { change in
            let initial: AttributeDefault?
            switch change.kind {
            case .added: initial = attribute(of: change)?.defaultValue
            case .required(let given): initial = given
            default: return nil
            }
            guard initial == .now || initial == .newUUID, attribute(of: change)?.storage == .stored,
                !isFilled(change.path)
            else { return nil }
            return MigrationFinding(
                "volatile-default", .warning, change.path,
                "The default of \(change.path) is another value for each object, so every row is written before anybody goes on: fill it "
                    + "by a conversion or a stage, which work in batches, or choose a default that is the same for all."
            )
        }
    }

    private func attribute(of change: ModelChange) -> AttributeDescription? {
        guard case .attribute(let name) = change.subject else { return nil }
        return to.model.layout(named: change.entityName)?.property(named: name)?.attribute
    }

    /// What goes and what is new under names that SQL can't tell apart, since they differ in capitals alone.
    var foldedNames: [MigrationFinding] {
        let gone = difference.changes.filter { $0.kind == .removed }
        return difference.changes.filter { $0.kind == .added }.compactMap { change in
            let name = change.propertyName ?? change.entityName
            let twin = gone.first { other in
                let older = other.propertyName ?? other.entityName
                let isNeighbour =
                    (other.propertyName == nil) == (change.propertyName == nil)
                    && (change.propertyName == nil || other.entityName == change.entityName)
                return isNeighbour && older != name && SnakeCase.name(older) == SnakeCase.name(name)
            }
            guard let twin else { return nil }
            return MigrationFinding(
                "case-fold-collision", .warning, change.path,
                "\(change.path) is new and \(twin.path) is gone, and in SQL both are called \(SnakeCase.name(name)): if it is the same, "
                    + "say that it was renamed; otherwise give the new one another name, so that no query takes the one for the other."
            )
        }
    }

    /// In what backends differ for each of which the transition was planned.
    ///
    /// - Parameter plans: What came of planning it, by the backends' names; an error is why it can't be made there.
    package func divergences(
        _ plans: [(backend: String, plan: Result<MigrationPlan, StoreError>)]
    ) -> [MigrationFinding] {
        var (able, together, alone): ([String], [String], [String]) = ([], [], [])
        var refusals: [(backend: String, error: StoreError)] = []
        for (backend, result) in plans {
            switch result {
            case .success(let plan):
                able.append(backend)
                let isShared = plan.steps.contains { $0.force == .both }
                if isShared { together.append(backend) } else { alone.append(backend) }
            case .failure(let error): refusals.append((backend, error))
            }
        }
        var told: Set<MigrationFinding> = []
        var findings = refusals.map { backend, error in
            let reason = [error.message, error.remedy].compactMap(\.self).joined(separator: " ")
            return able.isEmpty
                ? MigrationFinding("refused", .error, name, reason)
                : MigrationFinding(
                    "backend-divergence", .error, name,
                    "\(name) can be made on \(able.joined(separator: " and ")), and not on \(backend). \(reason)"
                )
        }.filter { told.insert($0).inserted }
        if !together.isEmpty, !alone.isEmpty {
            findings.append(
                MigrationFinding(
                    "backend-divergence", .warning, name,
                    "Programs of both versions work on the store together on \(together.joined(separator: " and ")), and not on "
                        + "\(alone.joined(separator: " and ")): stop those of \(from.name) before it, wherever the store is."
                ))
        }
        return findings
    }
}

extension MigrationStep.Check {
    /// Why the step isn't done where there are such rows; nil where there are none.
    package func refusal(_ rows: Int) -> StoreError? {
        rows > 0 ? StoreError(.migrationRefused, "\(counted(rows)).", remedy: remedy) : nil
    }

    /// The sentence with a number: `1 object of Player has no rank, …`, `2 objects of Player have no rank, …`.
    private func counted(_ rows: Int) -> String {
        guard rows == 1 else { return "\(rows.groupedDigits) \(sentence)" }
        var words = sentence.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        if words[0].hasSuffix("s") { words[0].removeLast() }
        // A name between them isn't the verb, whatever it is.
        let start = words.dropFirst().first == "of" ? 3 : 1
        if let verb = words.indices.dropFirst(start).first(where: { Self.verbs[words[$0]] != nil }) {
            words[verb] = Self.verbs[words[verb]] ?? words[verb]
        }
        return "1 \(words.joined(separator: " "))"
    }

    /// The verbs of sentences, for many and for one.
    private static let verbs = [
        "have": "has", "are": "is", "refer": "refers", "lead": "leads", "keep": "keeps",
    ]

    /// What helps where there are such rows.
    private var remedy: String {
        switch rule {
        case "required-on-populated"?: "Give them values before, or give the model a default or a conversion."
        case "required-reference-lost"?:
            "Let them refer to other objects, fill the relationship by a stage, or make it optional."
        case "unique-on-duplicates"?: "Make them different before, or leave the constraint out."
        case "index-on-long-values"?: "Shorten them before, or leave the index out."
        default: "Mend them before."
        }
    }

    /// What a number of rows means that stand in the way of the step; nil where there are none.
    package func finding(_ rows: Int) -> MigrationFinding? {
        guard rows > 0 else { return nil }
        return MigrationFinding(
            rule ?? "rows-in-the-way", .error, subject ?? "",
            "\(counted(rows)), which stops the migration. \(remedy)")
    }
}

extension ModelVersions {
    /// Versions whose names differ in capitals alone: many disks keep one file of the two.
    package var foldedNames: [MigrationFinding] {
        versions.indices.compactMap { index in
            let name = versions[index].name
            guard let twin = versions[..<index].first(where: { $0.name.lowercased() == name.lowercased() })
            else { return nil }
            return MigrationFinding(
                "case-fold-collision", .error, name,
                "The versions \(twin.name) and \(name) differ in capitals alone, which the files of most disks of macOS and Windows don't: "
                    + "give one another name.")
        }
    }
}
