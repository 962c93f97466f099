import ContextCore

/// The model of the cases about hooks: objects that log each hook.
enum HookModel {
    static let classes: [ManagedObject.Type] = [Witness.self]
}

@Entity final class Witness: ManagedObject {
    var name: String
    var isValid: Bool = true
    var whole: Witness?
    @Relationship(deleteRule: .cascade, inverse: \.whole) var parts: Set<Witness>

    override func awakeFromInsert() { logHook("awakeFromInsert") }
    override func awakeFromFetch() { logHook("awakeFromFetch") }
    override func willSave() { logHook("willSave") }
    override func didSave() { logHook("didSave") }
    override func prepareForDeletion() { logHook("prepareForDeletion with \(parts.count)") }
    override func validateForInsert() throws { try logAndValidate("validateForInsert") }
    override func validateForUpdate() throws { try logAndValidate("validateForUpdate") }
    override func validateForDelete() throws { try logAndValidate("validateForDelete") }

    private func logHook(_ hook: String) {
        guard let listener = context?.name else { return }
        HookLog.append("\(hook) \(name)", for: listener)
    }

    private func logAndValidate(_ hook: String) throws {
        logHook(hook)
        if !isValid {
            throw ValidationFailure(objectID: objectID, entityName: "Witness", rule: "is not valid")
        }
    }
}

/// The log of all hooks, by the name of the context.
///
/// It is global, because a hook can access only its object and the context. A mutex guards it.
enum HookLog {
    private static let lines = Guarded<[String: [String]]>([:])

    static func append(_ line: String, for listener: String) {
        lines.withLock { $0[listener, default: []].append(line) }
    }

    /// Removes and returns the lines that were logged for a context.
    static func removeLines(of listener: String) -> [String] {
        lines.withLock { $0.removeValue(forKey: listener) ?? [] }
    }
}
