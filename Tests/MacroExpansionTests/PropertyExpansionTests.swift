import Testing

/// The expansion of a property: its accessors, its description, and its parameter of the initializer.
struct PropertyExpansionTests {
    private func expand(_ property: String, in head: String = "@Entity final class Game: ManagedObject")
        -> String
    {
        let expansion = Expansion("\(head) {\n    \(property)\n}")
        #expect(expansion.reports == [])
        return expansion.text
    }

    @Test(arguments: [
        ("var title: String", #".property("title", String.self)"#),
        ("var title: String?", #".property("title", String?.self)"#),
        ("var title: Optional<String>", #".property("title", Optional<String>.self)"#),
        ("var title: String = \"Go\"", #".property("title", String.self, default: "Go")"#),
        ("var title: String = \"\\(1)\"", #".property("title", String.self, default: .constant("\(1)"))"#),
        ("var title: String? = nil", #".property("title", String?.self)"#),
        ("var title: String? = \"Go\"", #".property("title", String?.self, default: .constant("Go"))"#),
        ("var score: Int = 0", #".property("score", Int.self, default: 0)"#),
        ("var score: Int = -1", #".property("score", Int.self, default: .constant(-1))"#),
        ("var level: Level = .easy", #".property("level", Level.self, default: .constant(.easy))"#),
        ("var at: Date = .now", #".property("at", Date.self, default: .now)"#),
        ("var at: Foundation.Date = Date()", #".property("at", Foundation.Date.self, default: .now)"#),
        ("var at: Date = Foundation.Date()", #".property("at", Date.self, default: .now)"#),
        (
            "@Attribute(default: AttributeDefault.now) var at: Date",
            #".property("at", Date.self, default: .now)"#
        ),
        ("var phase: Phase = .now", #".property("phase", Phase.self, default: .constant(.now))"#),
        (
            "var phase: Phase = Phase.random",
            #".property("phase", Phase.self, default: .constant(Phase.random))"#
        ),
        (
            "@Attribute(default: AttributeDefault.constant(Level.easy)) var level: Level",
            #".property("level", Level.self, default: .constant(Level.easy))"#
        ),
        ("var at: Date? = Date.now", #".property("at", Date?.self, default: .now)"#),
        ("var at: Date = .distantPast", #".property("at", Date.self, default: .constant(.distantPast))"#),
        ("var token: UUID = UUID()", #".property("token", UUID.self, default: .newUUID)"#),
        ("var token: UUID = .init()", #".property("token", UUID.self, default: .newUUID)"#),
        (
            "@Attribute(default: .newUUID) var token: UUID",
            #".property("token", UUID.self, default: .newUUID)"#
        ),
        ("var `default`: Int", #".property("default", Int.self)"#),
        ("var price: Decimal = 0.07", #".property("price", Decimal.self, default: 0.07)"#),
        (
            "var price: Decimal? = 0.07",
            #".property("price", Decimal?.self, default: .constant(Decimal(sign: .plus, exponent: -2, significand: 7)))"#
        ),
        ("var price: Money = 0.07", #".property("price", Money.self, default: 0.07)"#),
    ])
    func `An attribute is described by its type and its default`(_ property: String, _ description: String) {
        #expect(expand(property).contains("\n                \(description),\n            ])"))
    }

    @Test(arguments: [
        (
            "@Attribute(.unique, .length(1...80)) var a: String",
            #".property("a", String.self, .unique, .length(1...80))"#
        ),
        (
            "@Attribute(.range(0...10)) var a: Int = 1",
            #".property("a", Int.self, default: 1, .range(0...10))"#
        ),
        ("@Attribute(renamedFrom: \"b\") var a: Int", #".property("a", Int.self, .renamed(from: "b"))"#),
        (
            "@Attribute(.indexed, hashModifier: \"2\") var a: Int",
            #".property("a", Int.self, .indexed, .hashModifier("2"))"#
        ),
        ("@Attribute(.codable) var a: [String]", #".codable("a", [String].self)"#),
        (
            "@Attribute(.codable) var a: [String] = []",
            #".codable("a", [String].self, default: .constant([]))"#
        ),
        ("@Attribute(AttributeOption.codable) var a: UInt64", #".codable("a", UInt64.self)"#),
        ("@Attribute(.codable) var a: Set<Tag>?", #".codable("a", Set<Tag>?.self)"#),
        (
            "@Attribute(.transformable(by: Sealed.self), .indexed) var a: Secret",
            #".transformed("a", Secret.self, by: Sealed.self, .indexed)"#
        ),
        ("@Transient var a: Bool = false", #".transient("a", Bool.self, default: false)"#),
        ("@Transient var a: Bool?", #".transient("a", Bool?.self)"#),
        ("@Derived(.now) var a: Date", #".derived("a", Date.self, .now)"#),
        ("@Derived(.now, .indexed) var a: Date", #".derived("a", Date.self, .now, .indexed)"#),
        ("@ContextCore.Attribute(.unique) var a: Int", #".property("a", Int.self, .unique)"#),
    ])
    func `An attribute's options are in its description`(_ property: String, _ description: String) {
        #expect(expand(property).contains("\n                \(description),\n            ])"))
    }

    @Test(arguments: [
        ("var a: Player?", #".property("a", Player?.self)"#),
        ("var a: Games.Player", #".property("a", Games.Player.self)"#),
        (
            "@Relationship(deleteRule: .deny) var a: Player?",
            #".property("a", Player?.self, deleteRule: .deny)"#
        ),
        (
            #"@Relationship(inverse: \.game) var a: Set<Player>"#,
            #".property("a", Set<Player>.self, inverse: "game")"#
        ),
        (
            #"@Relationship(inverse: \Player.game) var a: [Player] = []"#,
            #".property("a", [Player].self, inverse: "game")"#
        ),
        (
            #"@Relationship(inverse: \.game, minimumCount: 1, maximumCount: 4) var a: Array<Player>"#,
            #".property("a", Array<Player>.self, inverse: "game", minimumCount: 1, maximumCount: 4)"#
        ),
        (
            #"@Relationship(inverse: \.game, renamedFrom: "b", hashModifier: "2") var a: Player?"#,
            #".property("a", Player?.self, inverse: "game", renamingIdentifier: "b", versionHashModifier: "2")"#
        ),
    ])
    func `A relationship is described by its type and its arguments`(
        _ property: String, _ description: String
    ) {
        #expect(expand(property).contains("\n                \(description),\n            ])"))
    }

    @Test(arguments: [
        ("var a: Int", "a: Int"),
        ("var a: Int = 2", "a: Int = 2"),
        ("var a: Int?", "a: Int? = nil"),
        ("var a: Int? = 3", "a: Int? = 3"),
        ("var a: Level = .easy", "a: Level = .easy"),
        ("var a: Player", "a: Player"),
        (#"@Relationship(inverse: \.game) var a: Set<Player>"#, "a: Set<Player> = []"),
        ("@Attribute(default: .newUUID) var a: UUID", "a: UUID = UUID()"),
        ("@Attribute(default: .now) var a: Date", "a: Date = .now"),
        ("@Attribute(default: 5) var a: Int", "a: Int = 5"),
        ("@Attribute(default: .constant(Level.easy)) var a: Level", "a: Level = Level.easy"),
        ("var `default`: Int = 1", "`default`: Int = 1"),
        ("var a: Decimal = 2", "a: Decimal = 2"),
        ("var a: Double = 0.07", "a: Double = 0.07"),
    ])
    func `The initializer takes a property with its default`(_ property: String, _ parameter: String) {
        let text = expand(property)
        let name = parameter.prefix { $0 != ":" }
        #expect(text.contains("convenience init(in context: borrowing ObjectContext, \(parameter)) {"))
        #expect(text.contains("        self.\(name) = \(name)\n"))
    }

    @Test(arguments: [
        (
            "var a: Decimal = -1_234.50",
            "a: Decimal = Decimal(sign: .minus, exponent: -2, significand: 123450)"
        ),
        ("var a: Decimal? = 1.5e3", "a: Decimal? = Decimal(sign: .plus, exponent: 2, significand: 15)"),
        ("var a: Decimal = 0.0", "a: Decimal = Decimal(sign: .plus, exponent: -1, significand: 0)"),
        (
            "@Attribute(default: 0.07) var a: Decimal",
            "a: Decimal = Decimal(sign: .plus, exponent: -2, significand: 7)"
        ),
        ("var a: Decimal = 1.2345678901234567891", "a: Decimal = 1.2345678901234567891"),
    ])
    func `The initializer takes a decimal number as it was written`(_ property: String, _ parameter: String) {
        let text = expand(property)
        #expect(
            text.contains("ObjectContext, \(parameter)) {")
                || text.contains("\n        \(parameter)\n    ) {"))
    }

    @Test(arguments: [
        "@Transient var a: Bool = false", "@Derived(.now) var a: Date", "private var a: Int = 0",
        "var a: Int?",
    ])
    func `The initializer of a public class takes neither hidden nor derived properties`(_ property: String) {
        let text = expand(property, in: "@Entity public final class Game: ManagedObject")
        #expect(text.contains("public convenience init(in context: borrowing ObjectContext) {"))
    }

    @Test func `A derived property has no setter`() {
        #expect(
            expand("@Derived(.now) var a: Date").contains(
                """
                    var a: Date {
                        get { value(at: 0) }
                    }
                """))
    }

    @Test func `A codable property is decoded and encoded`() {
        #expect(
            expand("@Attribute(.codable) var a: [Int]").contains(
                """
                    var a: [Int] {
                        get { codableValue(at: 0) }
                        set { setCodableValue(newValue, at: 0) }
                    }
                """))
    }

    @Test func `A transformed property reads and writes through its transformer`() {
        #expect(
            expand("@Attribute(.transformable(by: Sealed.self)) var a: Secret").contains(
                """
                    var a: Secret {
                        get { value(at: 0, by: Sealed.self) }
                        set { setValue(newValue, at: 0, by: Sealed.self) }
                    }
                """))
    }

    @Test func `Slots are in the order of the names' bytes, not of their letters`() {
        let text = expand("var a_b: Int\n    var aB: Int\n    var B: Int\n    var a: Int")
        #expect(text.contains(#"override class var slotNames: [String] { ["B", "a", "aB", "a_b"] }"#))
        #expect(text.contains("var a_b: Int {\n        get { value(at: 3) }"))
    }
}
