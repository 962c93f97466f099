extension ModelTransition {
    /// The findings about attributes whose default differs for each object, because a database then writes every row.
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
                "The default of \(change.path) differs for each object, so every row is written while other transactions wait: fill it "
                    + "by a conversion or a stage, which work in batches, or use a constant default."
            )
        }
    }

    private func attribute(of change: ModelChange) -> AttributeDescription? {
        guard case .attribute(let name) = change.subject else { return nil }
        return to.model.layout(named: change.entityName)?.property(named: name)?.attribute
    }

    /// The findings about removed and new names that are the same in SQL, since they differ only in case.
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
                "\(change.path) is new and \(twin.path) is removed, and in SQL both are called \(SnakeCase.name(name)): if they are the "
                    + "same, declare a rename; otherwise give the new one another name, so that queries can't confuse them."
            )
        }
    }

    /// Returns findings about differences between backends for which the transition was planned.
    ///
    /// - Parameter plans: The plans by the backends' names; an error is the reason why a backend can't run the transition.
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
        var seen: Set<MigrationFinding> = []
        var findings = refusals.map { backend, error in
            let reason = [error.message, error.remedy].compactMap(\.self).joined(separator: " ")
            return able.isEmpty
                ? MigrationFinding("refused", .error, name, reason)
                : MigrationFinding(
                    "backend-divergence", .error, name,
                    "\(name) is possible on \(able.joined(separator: " and ")), but not on \(backend). \(reason)"
                )
        }.filter { seen.insert($0).inserted }
        if !together.isEmpty, !alone.isEmpty {
            findings.append(
                MigrationFinding(
                    "backend-divergence", .warning, name,
                    "Programs of both versions can use the store together on \(together.joined(separator: " and ")), but not on "
                        + "\(alone.joined(separator: " and ")): stop those of \(from.name) first, on every database."
                ))
        }
        return findings
    }
}

extension MigrationStep.Check {
    /// Returns the error of a step that rows prevent; nil if there are no such rows.
    package func refusal(_ rows: Int) -> StoreError? {
        finding(rows).map {
            StoreError(
                .migrationRefused, "\(counted(rows)).", remedy: remedy, cause: ObstructingRows(finding: $0))
        }
    }

    /// Returns the sentence with a number: `1 object of Player has no rank, …`, `2 objects of Player have no rank, …`.
    private func counted(_ rows: Int) -> String {
        guard rows == 1 else { return "\(rows.groupedDigits) \(sentence)" }
        var words = sentence.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        if words[0].hasSuffix("s") { words[0].removeLast() }
        // Skips the name between them, which may be a verb too.
        let start = words.dropFirst().first == "of" ? 3 : 1
        if let verb = words.indices.dropFirst(start).first(where: { Self.verbs[words[$0]] != nil }) {
            words[verb] = Self.verbs[words[verb]] ?? words[verb]
        }
        return "1 \(words.joined(separator: " "))"
    }

    /// The plural and singular forms of the verbs that sentences use.
    private static let verbs = [
        "have": "has", "are": "is", "refer": "refers", "lead": "leads", "keep": "keeps",
    ]

    /// The remedy if there are such rows.
    private var remedy: String {
        switch rule {
        case "required-on-populated"?: "Give them values first, or give the model a default or a conversion."
        case "required-reference-lost"?:
            "Change them to refer to other objects, fill the relationship in a stage, or make it optional."
        case "unique-on-duplicates"?: "Make them unique first, or remove the constraint."
        case "index-on-long-values"?: "Shorten them first, or remove the index."
        default: "Repair them first."
        }
    }

    /// Returns a finding about the rows that prevent the step; nil if there are none.
    package func finding(_ rows: Int) -> MigrationFinding? {
        guard rows > 0 else { return nil }
        return MigrationFinding(
            rule ?? "rows-in-the-way", .error, subject ?? "",
            "\(counted(rows)), which stops the migration. \(remedy)")
    }
}

/// The cause of a migration's refusal: rows of the store, with the finding that reports them in a review.
package struct ObstructingRows: Error {
    package let finding: MigrationFinding

    package init(finding: MigrationFinding) { self.finding = finding }
}

extension ModelVersions {
    /// The findings about versions whose names differ only in case, because many file systems ignore case.
    package var foldedNames: [MigrationFinding] {
        versions.indices.compactMap { index in
            let name = versions[index].name
            guard let twin = versions[..<index].first(where: { $0.name.lowercased() == name.lowercased() })
            else { return nil }
            return MigrationFinding(
                "case-fold-collision", .error, name,
                "The versions \(twin.name) and \(name) differ only in case, which most file systems of macOS and Windows ignore: "
                    + "rename one of them.")
        }
    }
}
