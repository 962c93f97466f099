import ContextCore

// The text for people.
extension ChangeOutcome {
    func text(_ style: TextStyle) -> String {
        if !conflicts.isEmpty { return conflictText(style) }
        if !failures.isEmpty { return failureText(style) }
        let summary = [
            Self.part(counts.inserted, "inserted"), Self.part(counts.updated, "updated"),
            Self.part(counts.deleted, "deleted"), Self.part(counts.nullified, "cleared"),
        ].compactMap(\.self).joined(separator: ", ")
        let state = isSaved ? "saved" : "a save would succeed, and nothing was saved"
        return style.bold(state) + (summary.isEmpty ? "" : ": \(summary)") + "\n" + effectText(style)
    }

    private static func part(_ count: Int, _ verb: String) -> String? {
        count == 0 ? nil : "\(Quantity.count(count)) \(verb)"
    }

    private func effectText(_ style: TextStyle) -> String {
        var table = TextTable([.init(name: "effect"), .init(name: "object"), .init(name: "detail")])
        for one in inserted {
            let name = one.name.map { " as \($0)" } ?? ""
            table.append([
                "inserted", (one.key.map { "\(one.entityName):\($0)" } ?? "a new \(one.entityName)") + name,
                Self.versionText(one.version),
            ])
        }
        for one in updated {
            table.append([
                "updated", one.object,
                ([Self.versionText(one.version)] + one.properties).filter { !$0.isEmpty }
                    .joined(separator: ", "),
            ])
        }
        for one in deleted { table.append(["deleted", one.object, one.cause ?? ""]) }
        for one in nullified { table.append(["cleared", "\(one.object), \(one.property)", one.cause]) }
        let omitted =
            counts.inserted + counts.updated + counts.deleted + counts.nullified - table.rows.count
        return table.text(style, hasHeading: false)
            + (omitted > 0 ? style.dim("… and \(Quantity.count(omitted)) more") + "\n" : "")
    }

    private static func versionText(_ version: Int64?) -> String { version.map { "version \($0)" } ?? "" }

    private func failureText(_ style: TextStyle) -> String {
        var text = style.red("nothing was saved: ") + failures.count.counted("failure", "failures") + "\n"
        for failure in failures {
            let subject = failure.object + (failure.property.map { ": \($0)" } ?? "")
            text += "  \(Self.line("\(subject) \(failure.message)"))"
            text += failure.place.map { style.dim("  \($0)") } ?? ""
            text += "\n"
        }
        return text
    }

    private func conflictText(_ style: TextStyle) -> String {
        var text =
            style.red("nothing was saved: ")
            + conflicts.count.counted("object was", "objects were") + " changed by another save\n"
        for conflict in conflicts {
            let state = conflict.version.map { "is at version \($0)" } ?? "is deleted"
            text += "  \(conflict.object) \(state)\(style.dim("  \(conflict.place)"))\n"
            var table = TextTable(["property", "base", "mine", "theirs"].map { .init(name: $0) })
            for property in conflict.properties {
                table.append([property.name, property.base.text, property.mine.text, property.theirs.text])
            }
            if table.rows.isEmpty { continue }
            for line in table.text(style).split(separator: "\n") { text += "    \(line)\n" }
        }
        return text + "Repeat the changes with the new versions to overwrite the others' values.\n"
    }

    /// Returns a text on one line.
    private static func line(_ text: String) -> String { TextTable.escapingControlCharacters(text) }
}
