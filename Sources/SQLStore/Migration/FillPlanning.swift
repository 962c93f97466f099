import ContextCore

/// Looks at conversions and stages before anything is done for them.
struct FillPlanning {
    private let transition: ModelTransition
    private let schema: SchemaTransition

    init(_ transition: ModelTransition, _ schema: SchemaTransition) {
        self.transition = transition
        self.schema = schema
    }

    /// - Parameter fills: The steps of the conversions and of the stages.
    /// - Throws: `StoreError.Code.migrationRefused` where one names what isn't there, or can't be understood.
    func check(_ fills: [MigrationStep]) throws(StoreError) {
        for path in transition.to.hints.conversions.keys.sorted(by: { $0.precedes($1) }) {
            try check(path, "conversion")
        }
        for stage in transition.to.stages {
            for attribute in stage.attributes { try check("\(stage.entityName).\(attribute)", "stage") }
        }
        for case .fill(let fill) in fills.map(\.work) {
            do {
                try RowFilling(fill, schema).check()
            } catch {
                let words = (error as? StoreError)?.message ?? "\(error)"
                let names = fill.conversions.sortedByBytes(of: \.key).map { "\(fill.entityName).\($0.key)" }
                throw StoreError(
                    .migrationRefused,
                    "The conversion of \(names.joined(separator: ", ")) can't be used. \(words)",
                    remedy: "Correct it; nothing was changed.", cause: error)
            }
        }
    }

    /// An attribute is filled where it is declared, for all entities that have it.
    private func check(_ path: String, _ kind: String) throws(StoreError) {
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let layout = schema.new.model.layout(named: parts[0]),
            let property = layout.property(named: parts[1])
        else {
            throw Self.refusal(
                "The newer model has no \(path), which a \(kind) fills.", "Correct the \(kind)")
        }
        let declaring = layout.declaring(property.slot, in: schema.new.model)
        if declaring.name != layout.name {
            throw Self.refusal(
                "\(path) is an attribute of \(declaring.name).",
                "Name \(declaring.name).\(parts[1]) in the \(kind)")
        }
        guard property.attribute?.storage == .stored else {
            throw Self.refusal(
                "\(path) is no attribute that is stored, so no \(kind) can fill it.", "Correct the \(kind)")
        }
    }

    private static func refusal(_ sentence: String, _ remedy: String) -> StoreError {
        StoreError(.migrationRefused, sentence, remedy: "\(remedy); nothing was changed.")
    }
}
