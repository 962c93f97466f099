import Testing

@testable import ContextCore
@testable import ContextMacros

struct ReservedNameTests {
    @Test func `The macros and the model refuse the same names`() {
        #expect(ContextMacros.ReservedNames.properties == ContextCore.ReservedNames.properties)
    }
}
