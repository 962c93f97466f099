/// Checks that classes return the same defaults each time they describe their entities.
///
/// `@Entity` rejects a default such as `UUID().uuidString` if it can see the expression. It can't see into functions or into
/// descriptions that are written by hand; this check compares two descriptions instead.
struct DefaultStabilityChecking {
    let described: [EntityDescription]
    let again: [EntityDescription]

    func check(_ problems: inout ModelProblems) {
        for (entity, other) in zip(described, again) {
            for (attribute, another) in zip(entity.attributes, other.attributes)
            where attribute.defaultValue != another.defaultValue {
                problems.report(
                    .varyingDefault, entity.name, attribute.name,
                    "Its default must be the same for all objects, but the class returns a different one each time: set it in an "
                        + "initializer, or use .now or .newUUID.")
            }
        }
    }
}
