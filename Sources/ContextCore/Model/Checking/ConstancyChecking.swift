/// Checks that classes describe their entities' defaults alike each time they are asked.
///
/// `@Entity` refuses a default such as `UUID().uuidString` where it sees one. It can't see into functions, and nobody looks
/// through a description that was written by hand; but what is new at every call is different when it is asked for twice.
struct ConstancyChecking {
    let described: [EntityDescription]
    let again: [EntityDescription]

    func check(_ problems: inout ModelProblems) {
        for (entity, other) in zip(described, again) {
            for (attribute, another) in zip(entity.attributes, other.attributes)
            where attribute.defaultValue != another.defaultValue {
                problems.report(
                    .varyingDefault, entity.name, attribute.name,
                    "Its default is one value for all objects, and is another each time the class is asked for it: set it in an "
                        + "initialiser, or let it be .now or .newUUID.")
            }
        }
    }
}
