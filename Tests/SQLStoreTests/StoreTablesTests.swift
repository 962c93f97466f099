import SQLStore
import Testing

struct StoreTablesTests {
    @Test func `What a store keeps for itself has names that no model's tables have`() {
        let names = StoreTables.all.map(\.name)
        #expect(names.allSatisfy { $0.hasPrefix("_store_") })
        #expect(Set(names).count == names.count)
    }
}
