import Testing

@testable import ContextCore
@testable import MacroExpansion

struct ReservedNameTests {
    @Test func `The macros and the model reject the same names`() {
        #expect(MacroExpansion.ReservedNames.properties == ContextCore.ReservedNames.properties)
    }
}

extension ReservedNameTests {
    /// Names of hidden members and of methods in the library.
    @Test func `Natural names are available to programs`() throws {
        let names = [
            "state", "entity", "description", "key", "group", "row", "graph", "overlay", "value", "object",
            "objects",
            "snapshot", "hash", "index", "order", "type", "data", "date", "count", "name", "id", "version",
        ]
        let properties = names.map { "    var \($0): String" }.joined(separator: "\n")
        let compilation = try Compilation(
            of: """
                import ContextCore
                @Entity class Parcel: ManagedObject {
                \(properties)
                    @Relationship(inverse: \\.parcel) var parts: [Part]
                }
                @Entity final class Part: ManagedObject {
                    var entity: Parcel?
                    var parcel: Parcel?
                    var state: Int = 0
                }
                func play(_ part: Part) -> TypedPredicate<Part> {
                    part.state = 3
                    print(part.entityLayout.name, part.objectState, part.snapshot().state)
                    return \\.state > 3 && \\.entity?.state == "x" && \\.parcel?.description != "y"
                }
                """)
        #expect(compilation.reports == [])
    }
}
