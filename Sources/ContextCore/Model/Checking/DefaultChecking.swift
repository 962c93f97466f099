/// Checks that an attribute's default is a valid value.
struct DefaultChecking {
    let attribute: AttributeDescription
    let entity: String
    let property: String

    func check(_ problems: inout ModelProblems) {
        guard let defaultValue = attribute.defaultValue else { return }
        if case .derived = attribute.storage {
            return problems.report(
                .invalidDefault, entity, property,
                "The store computes the attribute, so it can't have a default: remove it.")
        }
        switch defaultValue {
        case .now where attribute.type != .date:
            problems.report(
                .invalidDefault, entity, property,
                "The default .now is a date, and the attribute is \(attribute.type.displayName): remove the default, or "
                    + "change the type.")
        case .newUUID where attribute.type != .uuid:
            problems.report(
                .invalidDefault, entity, property,
                "A new UUID doesn't fit an attribute that is \(attribute.type.displayName): remove the default, or change the "
                    + "type.")
        case .now, .newUUID:
            break
        case .value(let value):
            for failure in ValueValidation(attribute).failures(of: value) {
                let part = failure.part.map { "The part “\($0)” of its default" } ?? "Its default"
                problems.report(
                    .invalidDefault, entity, property, "\(part) \(failure.message): correct it.")
            }
        }
    }
}
