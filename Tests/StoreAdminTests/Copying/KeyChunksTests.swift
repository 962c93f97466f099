import ContextCore
import PostgresBackend
import SQLiteBackend
import Testing

@testable import StoreAdmin

struct KeyChunksTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test(arguments: TestPlace.available)
    func `All keys of an entity's own objects are read in order, whatever the chunk size`(
        place: TestPlace
    ) async throws {
        let model = try ObjectModel(entities: [
            .init("Animal", attributes: [.init("name", .string)]), .init("Cat", superentity: "Animal"),
        ])
        let url = place.freshURL().replacing("sqlite:", with: "sqlite:\(bench.folder)/")
        let store = try await Store.open(url, backends: [.sqlite, .postgres], model: model)
        for number in 1...9 {
            try await store.write("animal") { context in
                try context.insert(number % 3 == 0 ? "Cat" : "Animal").set("name", to: "\(number)")
            }
        }
        let cats = try await store.read("cats") { context in
            try context.fetch(FetchRequest<ManagedObject>(entityName: "Cat")).map(\.objectID.key)
        }
        await store.close()
        bench.variables["STORECTL_URL"] = url
        try bench.tool.store(nil, config: nil).read("keys") { session, model in
            let animal = try #require(model.layout(named: "Animal"))
            let cat = try #require(model.layout(named: "Cat"))
            for page in [1, 2, 3, 6, 7, 50] {
                let keys = try KeyChunks(animal, session, size: 4, page: page)
                #expect(keys.count == 6)
                #expect(keys.all == keys.all.sorted() && Set(keys.all).isDisjoint(with: cats))
                #expect(keys.map(\.count) == [4, 2])
                #expect(try KeyChunks(cat, session, size: 1, page: page).all == cats.sorted())
            }
            let all = try KeyChunks(animal, session, size: 1).all + cats
            #expect(try KeyChunks.maxKey(of: animal, session) == all.max())
        }
    }
}
