import ContextCore

/// The model of the cases about hooks: objects that tell of each.
enum HookModel {
    static let classes: [ManagedObject.Type] = [Witness.self]
}

@Entity final class Witness: ManagedObject {
    var name: String
    var isValid: Bool = true
    var whole: Witness?
    @Relationship(deleteRule: .cascade, inverse: \.whole) var parts: Set<Witness>

    override func awakeFromInsert() { tell("awakeFromInsert") }
    override func awakeFromFetch() { tell("awakeFromFetch") }
    override func willSave() { tell("willSave") }
    override func didSave() { tell("didSave") }
    override func prepareForDeletion() { tell("prepareForDeletion with \(parts.count)") }
    override func validateForInsert() throws { try testify("validateForInsert") }
    override func validateForUpdate() throws { try testify("validateForUpdate") }
    override func validateForDelete() throws { try testify("validateForDelete") }

    private func tell(_ hook: String) {
        guard let listener = context?.name else { return }
        HookLog.append("\(hook) \(name)", for: listener)
    }

    private func testify(_ hook: String) throws {
        tell(hook)
        if !isValid {
            throw ValidationFailure(objectID: objectID, entityName: "Witness", rule: "is not valid")
        }
    }
}

/// What the hooks of contexts have told, by the name of the context.
///
/// State that threads share, guarded by a mutex: a hook knows nobody but its object and the context.
enum HookLog {
    private static let told = Guarded<[String: [String]]>([:])

    static func append(_ line: String, for listener: String) {
        told.withLock { $0[listener, default: []].append(line) }
    }

    /// What was told since the last time.
    static func take(_ listener: String) -> [String] {
        told.withLock { $0.removeValue(forKey: listener) ?? [] }
    }
}
