import ContextCore
import Foundation
import Testing

/// Conversions to decimal or floating-point numbers.
struct DecimalConversionTests {
    private static let cents: [Int64] = [839_578, 0, -1, 100, 99, Int64(1e12) - 1, -839_578]

    private func old() throws -> ObjectModel {
        try ObjectModel(entities: [
            .init(
                "Product",
                attributes: [
                    .init("cents", .int64), .init("rate", .double, isOptional: true), .init("count", .int32),
                    .init("tax", .decimal(precision: 8, scale: 4)),
                ])
        ])
    }

    private func new(_ type: AttributeType, isOptional: Bool = false) throws -> ObjectModel {
        try ObjectModel(entities: [
            .init(
                "Product",
                attributes: [
                    .init("cents", .int64), .init("rate", .double, isOptional: true), .init("count", .int32),
                    .init("tax", .decimal(precision: 8, scale: 4)),
                    .init("price", type, isOptional: isOptional),
                ])
        ])
    }

    /// Returns a model in which texts become numbers, in a tree that one entity leaves and another is removed from.
    private func texts(_ type: AttributeType, isLater: Bool) throws -> ObjectModel {
        var entities = [
            EntityDescription("Note", attributes: [.init("text", type)]),
            EntityDescription("Memo", superentity: "Note"),
            EntityDescription(
                "Card", superentity: isLater ? nil : "Note",
                attributes: [.init("color", .string, isOptional: true)]),
        ]
        if !isLater { entities.append(EntityDescription("Draft", superentity: "Note")) }
        return try ObjectModel(entities: entities)
    }

    @Test(arguments: StoreKind.present)
    func `Values of objects that leave or are removed needn't be convertible`(
        _ kind: StoreKind
    )
        async throws
    {
        let store = try MigratedStore(kind)
        let (old, new) = (try texts(.string, isLater: false), try texts(.int64, isLater: true))
        try await store.write(old) { context in
            for (entity, text) in [("Note", "1"), ("Memo", "2"), ("Card", "red"), ("Draft", "")] {
                _ = try context.make(entity, ["text": .string(text)])
            }
        }
        var options = MigrationOptions()
        options.acceptedLosses = ["Draft", "Card.text"]
        let hints = MigrationHints(
            removed: ["Draft"], conversions: ["Note.text": "text"])
        try await store.migrate(
            [ModelVersion("V1", old), ModelVersion("V2", new, hints: hints)], options)
        let numbers = try await store.read(new) { try $0.all("Note").map { try $0["text"] } }
        #expect(numbers.sorted { "\($0)" < "\($1)" } == [.int(1), .int(2)])
        #expect(store.storectl("check").isDone)
    }

    @Test(arguments: StoreKind.present)
    func `A conversion of an entity that leaves its tree leaves nothing in the tree's table`(
        _ kind: StoreKind
    ) async throws {
        let store = try MigratedStore(kind)
        func model(isLater: Bool) throws -> ObjectModel {
            try ObjectModel(entities: [
                EntityDescription("Note", attributes: [.init("name", .string)]),
                EntityDescription(
                    "Card", superentity: isLater ? nil : "Note",
                    attributes: [.init("size", isLater ? .double : .int64)]),
            ])
        }
        let (old, new) = (try model(isLater: false), try model(isLater: true))
        try await store.write(old) { context in
            _ = try context.make("Note", ["name": .string("a")])
            _ = try context.make("Card", ["name": .string("b"), "size": .int(7)])
        }
        var options = MigrationOptions()
        options.acceptedLosses = ["Card.name"]
        let hints = MigrationHints(conversions: ["Card.size": "size"])
        try await store.migrate([ModelVersion("V1", old), ModelVersion("V2", new, hints: hints)], options)
        #expect(try await store.read(new) { try $0.all("Card").map { try $0["size"] } } == [.double(7)])
        #expect(try store.drift() == [])
    }

    private func makeStore(_ kind: StoreKind) async throws -> MigratedStore {
        let store = try MigratedStore(kind)
        try await store.write(old()) { context in
            for (index, cents) in Self.cents.enumerated() {
                _ = try context.make(
                    "Product",
                    [
                        "cents": .int(cents), "count": .int(Int64(index)), "rate": .double(0.1),
                        "tax": .decimal(Decimal(string: "0.0825") ?? 0),
                    ])
            }
        }
        return store
    }

    private func versions(_ conversion: String, _ type: AttributeType, isOptional: Bool = false) throws
        -> [ModelVersion]
    {
        let new = try new(type, isOptional: isOptional)
        return [
            ModelVersion("V1", try old()),
            ModelVersion("V2", new, hints: MigrationHints(conversions: ["Product.price": conversion])),
        ]
    }

    private func prices(_ store: MigratedStore, _ conversion: String, _ type: AttributeType) async throws
        -> [StoredValue]
    {
        let versions = try versions(conversion, type)
        try await store.migrate(versions)
        return try await store.read(versions[1].model) { try $0.values("Product", "price") }
    }

    @Test(
        arguments: StoreKind.present,
        [
            "cents / 100", "cents / 100.0", "cents / 1e2", "cents * 1.0 / 100", "cents * 0.01",
            "cents / 3 * 3 / 100",
        ])
    func `Integers become decimal numbers exactly`(_ kind: StoreKind, _ conversion: String) async throws {
        let store = try await makeStore(kind)
        let prices = try await prices(store, conversion, .decimal(precision: 12, scale: 2))
        #expect(
            prices
                == Self.cents.map {
                    .decimal(
                        Decimal(sign: $0 < 0 ? .minus : .plus, exponent: -2, significand: Decimal(abs($0))))
                })
    }

    @Test(arguments: StoreKind.present)
    func `Functions, conditions and decimal attributes are exact in a decimal conversion`(
        _ kind: StoreKind
    ) async throws {
        let conversions = [
            ("round(cents / 3 * 100) / 100", "279859.33"), ("abs(-cents) / 100", "8395.78"),
            ("coalesce(nil, cents) / 100", "8395.78"), ("floor(cents / 100)", "8395"),
            ("ceiling(cents / 1e2)", "8396"), ("cents * tax / 100", "692.65185"),
            ("TERNARY(cents > 100, cents / 8, 0)", "104947.25"), ("cents * rate", "83957.8"),
        ]
        for (conversion, wanted) in conversions {
            let store = try await makeStore(kind)
            let prices = try await prices(store, conversion, .decimal(precision: 30, scale: 12))
            #expect(prices.first == Decimal(string: wanted).map { .decimal($0) }, "\(conversion)")
        }
    }

    @Test(arguments: StoreKind.present)
    func `A remainder is exact and has the sign of the dividend`(_ kind: StoreKind) async throws {
        let conversions = [
            ("mod(cents, 100) / 100", "0.78", "-0.78"), ("mod(cents / 100, 0.25)", "0.03", "-0.03"),
            ("mod(cents, -100)", "78", "-78"), ("mod(cents / 3, 1) * 3", "1", "-1"),
            ("mod(cents / 100, tax)", "0.0025", "-0.0025"),
        ]
        for (conversion, first, last) in conversions {
            let store = try await makeStore(kind)
            let prices = try await prices(store, conversion, .decimal(precision: 30, scale: 12))
            #expect(prices.first == Decimal(string: first).map { .decimal($0) }, "\(conversion)")
            #expect(prices.last == Decimal(string: last).map { .decimal($0) }, "\(conversion)")
        }
        let store = try await makeStore(kind)
        let halves = try await prices(store, "mod(cents / 4, 1)", .double)
        #expect(halves == [0.5, 0, -0.25, 0, 0.75, 0.75, -0.5].map { .double($0) })
    }

    @Test(arguments: StoreKind.present, [AttributeType.double, .float])
    func `Integer division isn't truncated in a floating-point conversion`(
        _ kind: StoreKind, _ type: AttributeType
    ) async throws {
        let store = try await makeStore(kind)
        let prices = try await prices(store, "count / 4", type)
        #expect(prices == Self.cents.indices.map { .double(Double($0) / 4) })
    }

    @Test(arguments: StoreKind.present)
    func `An inexact conversion is rejected with a count before anything is done`(_ kind: StoreKind)
        async throws
    {
        let refusals: [(String, AttributeType, String)] = [
            (
                "cents / 1000", .decimal(precision: 12, scale: 2),
                "in 5 of 7 objects, the first of them Product/1"
            ),
            ("cents / 3", .decimal(precision: 12, scale: 2), "has more fractional digits than"),
            ("100 / cents", .decimal(precision: 12, scale: 2), "the first of them Product/1"),
            (
                "1 / count", .decimal(precision: 30, scale: 20),
                "divides by zero in 1 of 7 objects, Product/1."
            ),
            ("mod(cents, count)", .decimal(precision: 30, scale: 2), "divides by zero in 1 of 7 objects"),
            ("mod(cents, count)", .double, "divides by zero in 1 of 7 objects"),
            ("tax", .decimal(precision: 8, scale: 2), "in 7 of 7 objects"),
            ("cents / 100", .decimal(precision: 6, scale: 2), "too large for Product.price"),
            ("cents", .int16, "too large for Product.price"),
            ("rate", .int64, "in 7 of 7 objects"),
            ("rate * 1e300 * 1e300", .double, "too large for Product.price"),
            ("rate * 1e300", .float, "too large for Product.price"),
        ]
        let store = try await makeStore(kind)
        for (conversion, type, words) in refusals {
            let versions = try versions(conversion, type, isOptional: true)
            for isPlanned in [true, false] {
                let error = await refusal {
                    if isPlanned {
                        _ = try store.plan(versions)
                    } else {
                        try await store.migrate(versions)
                    }
                }
                #expect(error?.code == .migrationRefused, "\(conversion)")
                #expect(error?.message.contains(words) == true, "\(conversion): \(error?.message ?? "")")
            }
        }
        #expect(try store.state().entries.isEmpty)
        let cents = try await store.read(old()) { try $0.values("Product", "cents") }
        #expect(cents == Self.cents.map { .int($0) })
    }

    /// The rows of the second transition exist only after the first one.
    @Test(arguments: StoreKind.present)
    func `An inexact conversion of a later version is rejected with the same reason`(_ kind: StoreKind)
        async throws
    {
        let store = try await makeStore(kind)
        let between = try new(.decimal(precision: 14, scale: 4), isOptional: true)
        let versions = [
            ModelVersion("V1", try old()),
            ModelVersion("V2", between, hints: MigrationHints(conversions: ["Product.price": "cents / 100"])),
            ModelVersion(
                "V3", try new(.decimal(precision: 12, scale: 2), isOptional: true),
                hints: MigrationHints(conversions: ["Product.price": "price / 10"])),
        ]
        let error = await refusal { try await store.migrate(versions) }
        #expect(error?.code == .migrationRefused)
        let message = try #require(error?.message)
        #expect(
            message.hasPrefix("The conversion “price / 10” can't be used for Product.price."), "\(message)")
        #expect(
            message.hasSuffix("in 5 of 7 objects, the first of them Product/1."), "\(message)")
        #expect(error?.remedy?.contains("V1-V2 was finished, and nothing after that was changed") == true)
        let state = try store.state()
        #expect(state.models.last?.fingerprint == between.fingerprint)
        #expect(state.run == nil)
    }
}
