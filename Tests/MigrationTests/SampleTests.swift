import ChildProcesses
import ContextCore
import Foundation
import Testing

/// The sample objects with their migrated values that `migrate plan` shows.
struct SampleTests {
    private func model(isNew: Bool, isNewer: Bool = false) throws -> ObjectModel {
        var product = EntityDescription(
            "Product", attributes: [.init("cents", .int64), .init("name", .string)],
            relationships: [.init("owner", to: "Owner", inverse: "products", isOptional: true)])
        var owner = EntityDescription(
            "Owner", attributes: [.init("title", .string)],
            relationships: [.init("products", to: "Product", inverse: "owner", isToMany: true)])
        if isNew {
            product.attributes.append(.init("price", .decimal(precision: 12, scale: 2)))
            owner.attributes += [.init("size", .int64), .init("list", .string, isOptional: true)]
            owner.relationships.append(.init("best", to: "Product", isOptional: true))
        }
        if isNewer { owner.attributes.append(.init("code", .string)) }
        return try ObjectModel(entities: [
            product, EntityDescription("Book", superentity: "Product"), owner,
        ])
    }

    private let hints = MigrationHints(conversions: [
        "Product.price": "TERNARY(owner.title == 'Ann', cents, -cents) / 100",
        "Product.name": "uppercase(name)",
        "Owner.size": "products.@count",
    ])

    private func stage(isThrowing: Bool = false) -> MigrationStage {
        MigrationStage("Owner", filling: ["list", "best"], reading: ["products"]) { owner in
            let products = try owner.related("products")
            if isThrowing { throw StoreError(.validation, "The list is too long.") }
            owner["list"] = .string(products.map { $0.text("name") }.joined(separator: ", "))
            owner[keys: "best"] = products.suffix(1).map(\.key)
        }
    }

    private func makeStore(_ kind: StoreKind) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(model(isNew: false)) { context in
            let owner = try context.make("Owner", ["title": .string("Ann")])
            for number in Int64(1)...4 {
                let product = try context.make(
                    number == 2 ? "Book" : "Product",
                    ["cents": .int(number * 50), "name": .string("p\(number)")])
                if number < 3 { try product.set("owner", to: owner) }
            }
        }
        return store
    }

    private func samples(
        _ store: MigratedStore, _ versions: [ModelVersion]
    ) async throws -> [[MigrationSample]] {
        let (kind, url) = (store.kind, store.url)
        let plan = try await onThread {
            try kind.backend.sampledMigrationPlan(of: url, to: ModelVersions(versions))
        }
        let plain = try store.plan(versions)
        #expect(plan.digest == plain.digest && plain.segments.allSatisfy { $0.samples == nil })
        return plan.segments.map { segment in
            (segment.samples ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }

    @Test(arguments: StoreKind.present)
    func `Conversions show their input and the old and new value of the property`(_ kind: StoreKind)
        async throws
    {
        let store = try await makeStore(kind)
        let versions = [
            ModelVersion("V1", try model(isNew: false)),
            ModelVersion("V2", try model(isNew: true), hints: hints, stages: [stage()]),
        ]
        let samples = try await samples(store, versions)[0]
        #expect(
            samples.map(\.path) == [
                "Owner.size", "Product.name", "Product.price", "Owner.list", "Owner.best",
            ])
        #expect(samples[0].rows.map(\.readings.first?.value) == [.int(2)])
        let names = samples[1].rows
        #expect(names.map(\.entityName) == ["Product", "Book", "Product"])
        #expect(names.map(\.before) == ["p1", "p2", "p3"].map { .value(.string($0)) })
        #expect(names.map(\.after) == ["P1", "P2", "P3"].map { .value(.string($0)) })
        let prices = samples[2].rows
        #expect(samples[2].conversion == hints.conversions["Product.price"])
        #expect(
            prices.map { $0.readings.map(\.path) } == Array(repeating: ["owner.title", "cents"], count: 3))
        #expect(
            prices.map { $0.readings.map(\.value) }
                == [[.string("Ann"), .int(50)], [.string("Ann"), .int(100)], [.null, .int(150)]])
        #expect(prices.allSatisfy { $0.before == nil })
        #expect(
            prices.map(\.after)
                == [Decimal(0.5), 1, Decimal(-1.5)].map { .value(.decimal($0)) })
        #expect(samples[3].rows.map(\.after) == [.value(.string("p1, p2"))])
        #expect(samples[4].rows.map(\.before) == [nil])
        #expect(samples[4].rows.map(\.after) == [.keys([names[1].key])])
        // Nothing was written.
        let drift = try store.drift()
        #expect(try store.state().run == nil && drift == [])
        try await store.migrate(versions)
        let kept = try await store.read(versions[1].model) { try $0.values("Product", "price") }
        #expect(kept.prefix(3).map { .value($0) } == prices.map(\.after))
    }

    @Test(arguments: StoreKind.present)
    func `The error of a stage is shown, and later transitions have none`(_ kind: StoreKind) async throws {
        let store = try await makeStore(kind)
        let new = try model(isNew: true)
        let versions = [
            ModelVersion("V1", try model(isNew: false)),
            ModelVersion("V2", new, hints: hints, stages: [stage(isThrowing: true)]),
            ModelVersion(
                "V3", try model(isNew: true, isNewer: true),
                hints: MigrationHints(conversions: ["Owner.code": "lowercase(title)"])),
        ]
        let samples = try await samples(store, versions)
        let best = try #require(samples[0].last)
        #expect(best.rows.map(\.after) == [.problem("The stage threw an error: The list is too long.")])
        #expect(samples[1].isEmpty)
    }

    @Test(arguments: StoreKind.present)
    func `The tool prints them as a table and as JSON`(_ kind: StoreKind) async throws {
        func model(_ type: AttributeType, code: Bool = false) throws -> ObjectModel {
            try ObjectModel(entities: [
                .init(
                    "Product",
                    attributes: [.init("cents", .int64), .init("price", type, isOptional: true)]
                        + (code ? [.init("code", .string, isOptional: true)] : []))
            ])
        }
        let store = try MigratedStore(kind)
        let old = try model(.string)
        try await store.write(old) { context in
            for cents in [Int64(839_578), 0, -1, 7] {
                try context.make("Product", ["cents": .int(cents), "price": .string("?")])
            }
        }
        let hints = MigrationHints(conversions: ["Product.price": "cents / 100"])
        try store.freeze([
            ModelVersion("V1", old),
            ModelVersion("V2", try model(.decimal(precision: 12, scale: 2)), hints: hints),
            ModelVersion(
                "V3", try model(.decimal(precision: 12, scale: 2), code: true),
                hints: MigrationHints(conversions: ["Product.code": "cents"])),
        ])
        let plan = store.storectl("migrate", "plan")
        #expect(plan.isDone, "\(plan.problems)")
        let lines = plan.output.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        for line in [
            "object property reads before after", "Product:1 Product.price cents 839578 \"?\" 8395.78",
            "Product:2 Product.price cents 0 \"?\" 0", "Product:3 Product.price cents -1 \"?\" -0.01",
        ] { #expect(lines.contains(line), "\(plan.output)") }
        #expect(!plan.output.contains("Product:4"))
        #expect(
            plan.output.contains(
                "There are no samples of the conversions and stages of the migration V2-V3, which read"))
        let document = store.storectl("migrate", "plan", "--json")
        for part in [
            #""object":"Product:3""#, #""reads":[{"property":"cents","value":"-1"}]"#, #""after":"-0.01""#,
            #""conversion":"cents / 100""#,
        ] {
            let text = document.output.filter { !$0.isWhitespace }
            #expect(text.contains(part.filter { !$0.isWhitespace }), "\(document.output)")
        }
        let sql = store.storectl("migrate", "plan", "--sql")
        #expect(!sql.output.contains("8395.78"))
    }
}
