import Testing

/// Wrong uses of macros: the diagnostic, its position, and the result of the fix-it.
struct MistakeTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let source: String
        let report: String
        let fixed: String?

        init(_ source: String, _ report: String, fixed: String? = nil) {
            self.source = source
            self.report = report
            self.fixed = fixed
        }

        var testDescription: String { source }
    }

    private func check(_ example: Example) {
        let expansion = Expansion(example.source)
        #expect(expansion.reports == [example.report])
        #expect(expansion.fixed == example.fixed ?? example.source)
    }

    /// Checks a property as the only one of an entity, on a separate line.
    private func checkProperty(_ example: Example) {
        func entity(_ property: String) -> String {
            "@Entity final class Game: ManagedObject {\n\(property)\n}"
        }
        check(Example(entity(example.source), "2:" + example.report, fixed: example.fixed.map(entity)))
    }

    @Test(arguments: [
        Example(
            "@Entity struct Game {}",
            "1:9: @Entity can be applied only to a class of managed objects; 'Game' is a struct",
            fixed: "@Entity final class Game: ManagedObject {}"),
        Example(
            "@Entity public struct Game: Codable { var title: String }",
            "1:16: @Entity can be applied only to a class of managed objects; 'Game' is a struct",
            fixed: "@Entity public final class Game: ManagedObject, Codable { var title: String }"),
        Example(
            "@Entity actor Game {}",
            "1:9: @Entity can be applied only to a class of managed objects; 'Game' is an actor",
            fixed: "@Entity final class Game: ManagedObject {}"),
        Example(
            "@Entity enum Game {}",
            "1:9: @Entity can be applied only to a class of managed objects; 'Game' is an enum"),
        Example(
            "@Entity protocol Game {}",
            "1:9: @Entity can be applied only to a class of managed objects; 'Game' is a protocol"),
        Example(
            "@Entity extension Game {}",
            "1:9: @Entity can be applied only to a class of managed objects; 'Game' is an extension"),
        Example(
            "@Entity final class Game { var title: String }",
            "1:21: 'Game' needs a superclass: ManagedObject or the class of another entity",
            fixed: "@Entity final class Game: ManagedObject { var title: String }"),
        Example(
            "@Entity final class Game: Codable {}",
            "1:21: 'Game' needs a superclass: ManagedObject or the class of another entity",
            fixed: "@Entity final class Game: ManagedObject, Codable {}"),
        Example(
            "@Entity final class Game<Title>: ManagedObject {}",
            "1:25: 'Game' can't be generic: each property of an entity has one type"),
        Example(
            "@Entity final class Game: ManagedObject, @unchecked Sendable {}",
            """
            1:42: 'Game' can't be Sendable: a managed object belongs to its context; send its objectID or a snapshot
            """),
    ])
    func `Only a class of managed objects can be an @Entity`(_ example: Example) {
        check(example)
    }

    @Test(arguments: [
        Example(
            "let a: Int", "1: 'a' must be 'var': the context sets it when it loads the object",
            fixed: "var a: Int"),
        Example("var a: Int, b: Int", "13: Each property of an entity needs its own 'var'"),
        Example("var (a, b): (Int, Int)", "5: Each property of an entity needs its own 'var'"),
        Example(
            "var a = 0", "5: 'a' needs an explicit type: a macro can't infer it", fixed: "var a: Int = 0"),
        Example(
            "var a = -1.5", "5: 'a' needs an explicit type: a macro can't infer it",
            fixed: "var a: Double = -1.5"),
        Example(
            "var a = \"\"", "5: 'a' needs an explicit type: a macro can't infer it",
            fixed: "var a: String = \"\""),
        Example(
            "var a = true", "5: 'a' needs an explicit type: a macro can't infer it",
            fixed: "var a: Bool = true"),
        Example(
            "var a = UUID()", "5: 'a' needs an explicit type: a macro can't infer it",
            fixed: "var a: UUID = UUID()"),
        Example(
            "var a = Date.now", "5: 'a' needs an explicit type: a macro can't infer it",
            fixed: "var a: Date = Date.now"),
        Example("var a = make()", "5: 'a' needs an explicit type: a macro can't infer it"),
        Example("var a: Int = 0 { didSet {} }", "18: 'a' can't have didSet: @Entity generates its accessors"),
        Example(
            "lazy var a: Int = 0", "1: 'a' can't be 'lazy': its value is stored in the object's context",
            fixed: "var a: Int = 0"),
        Example(
            "weak var a: Game?", "1: 'a' can't be 'weak': its value is stored in the object's context",
            fixed: "var a: Game?"),
        Example(
            "override var a: Int",
            "1: 'a' can't override a property of a superentity: remove it, or choose another name"),
        Example(
            "var objectID: Int",
            "5: 'objectID' is reserved by ManagedObject or Swift: choose another name for the property"),
        Example(
            "var größe: Int",
            "5: 'größe' can't be a column name: use ASCII letters, digits and underscores, starting with a letter"
        ),
        Example(
            "var _size: Int",
            "5: '_size' can't be a column name: use ASCII letters, digits and underscores, starting with a letter"
        ),
        Example(
            "#if DEBUG\nvar a: Int\n#endif",
            "5: 'a' can't be inside #if: an entity has the same properties in every build"),
    ])
    func `A property must be declared so that its context can store it`(_ example: Example) {
        let isOnNextLine = example.source.hasPrefix("#if")
        guard !isOnNextLine else {
            let source = "@Entity final class Game: ManagedObject {\n\(example.source)\n}"
            return check(Example(source, "3:" + example.report))
        }
        checkProperty(example)
    }

    @Test(arguments: [
        Example(
            "@Attribute var a: Int { 3 }",
            "1: @Attribute can't be applied to the computed property 'a': only stored properties are persistent",
            fixed: "var a: Int { 3 }"),
        Example(
            "@Relationship var a: Game? { nil }",
            "1: @Relationship can't be applied to the computed property 'a': only stored properties are persistent",
            fixed: "var a: Game? { nil }"),
        Example(
            "@Attribute(.unique) static var a: Int = 3",
            "1: @Attribute can't be applied to the type property 'a': only instance properties are persistent",
            fixed: "static var a: Int = 3"),
        Example(
            "@Attribute @Relationship var a: Game?",
            "12: 'a' can't be both @Attribute and @Relationship: remove one of them",
            fixed: "@Attribute var a: Game?"),
        Example(
            "@Transient @Derived(.now) var a: Date?",
            "12: 'a' can't be both @Transient and @Derived: remove one of them",
            fixed: "@Transient var a: Date?"),
        Example(
            "@Attribute(.unique) @Attribute(.indexed) var a: Int",
            "21: 'a' has @Attribute twice: remove one of them",
            fixed: "@Attribute(.unique) var a: Int"),
        Example(
            "@Attribute func a() {}",
            "1: @Attribute can be applied only to a stored property in an @Entity class or an @Composite struct"
        ),
    ])
    func `A property has one attribute, and is stored`(_ example: Example) {
        checkProperty(example)
    }

    @Test(arguments: [
        ("Attribute", "final class Game: ManagedObject { @Attribute var a: Int }", 35),
        ("Relationship", "struct Game { @Relationship var a: Player? }", 15),
        ("Transient", "@Transient var a: Int = 0", 1),
        ("Derived", "extension Game { @Derived(.now) var a: Date { .now } }", 18),
    ])
    func `An unused attribute is reported`(_ marker: String, _ source: String, _ column: Int) {
        #expect(
            Expansion(source).reports
                == [
                    "1:\(column): @\(marker) can be applied only to a stored property in an @Entity class or an @Composite struct"
                ])
    }

    @Test(arguments: [
        Example(
            "var a: Int!", "11: 'a' can't be implicitly unwrapped: make it optional or nonoptional",
            fixed: "var a: Int?"),
        Example("var a: UInt64", "8: UInt64 can't be stored; use Int64", fixed: "var a: Int64"),
        Example("var a: Swift.UInt?", "8: Swift.UInt? can't be stored; use Int", fixed: "var a: Int?"),
        Example("var a: NSNumber", "8: NSNumber can't be stored; use Int, Double or Decimal"),
        Example("var a: Substring", "8: Substring can't be stored; use String", fixed: "var a: String"),
        Example(
            "var a: Character?",
            "8: Character? can't be stored; use String; if Character is a class of your program, write its module before it",
            fixed: "var a: String?"),
        Example("var a: Any", "8: Any can't be stored; use the type of the value"),
        Example("var a: (Int, Int)", "8: (Int, Int) can't be stored"),
        Example("var a: () -> Void", "8: () -> Void can't be stored"),
        Example("var a: any Equatable", "8: any Equatable can't be stored"),
        Example("var a: some Equatable", "8: some Equatable can't be stored"),
        Example("var a: Int.Type", "8: Int.Type can't be stored"),
        Example(
            "var a: [String]",
            "8: A value of type [String] is stored as JSON: add @Attribute(.codable)",
            fixed: "@Attribute(.codable) var a: [String]"),
        Example(
            "@Attribute(.unique) var a: Set<Int>",
            "28: A value of type Set<Int> is stored as JSON: add @Attribute(.codable)",
            fixed: "@Attribute(.codable, .unique) var a: Set<Int>"),
        Example(
            "var a: [String: Int]?",
            "8: A value of type [String: Int]? is stored as JSON: add @Attribute(.codable)",
            fixed: "@Attribute(.codable) var a: [String: Int]?"),
        Example(
            "var a: [[Player]]",
            "8: A value of type [[Player]] is stored as JSON: add @Attribute(.codable)",
            fixed: "@Attribute(.codable) var a: [[Player]]"),
    ])
    func `A property needs a storable type`(_ example: Example) {
        checkProperty(example)
    }

    @Test(arguments: [
        Example(
            "@Attribute(default: 1) var a: Int = 1",
            "21: 'a' has two defaults, its initial value and the argument 'default': remove one of them",
            fixed: "@Attribute var a: Int = 1"),
        Example(
            "@Attribute(.unique, default: 1, renamedFrom: \"b\") var a: Int = 1",
            "30: 'a' has two defaults, its initial value and the argument 'default': remove one of them",
            fixed: "@Attribute(.unique, renamedFrom: \"b\") var a: Int = 1"),
        Example(
            "@Transient var a: Bool",
            "19: 'a' needs an initial value or an optional type: a @Transient property isn't loaded from the store",
            fixed: "@Transient var a: Bool = <#value#>"),
        Example(
            "@Derived(.now) var a: Date = .now", "30: 'a' can't have an initial value: the store computes it"
        ),
        Example(
            "@Derived(.count(path)) var a: Int",
            "17: @Derived needs key path literals, such as \\.title: a macro can't evaluate expressions"),
        Example(
            "@Derived(.lowercased(\\.titel)) var a: String",
            "22: 'Game' has no stored property 'titel': correct the key path"),
    ])
    func `A value comes from one source`(_ example: Example) {
        checkProperty(example)
    }

    @Test(arguments: [
        Example(
            "var a: String = UUID().uuidString",
            "17: 'UUID()' has a different value at each call, but the default of 'a' is the same for all objects: \(remedy)",
            fixed: "var a: UUID = UUID()"),
        Example(
            "@Attribute(default: .constant(UUID())) var a: UUID",
            "31: 'UUID()' has a different value at each call, but the default of 'a' is the same for all objects: \(remedy)",
            fixed: "@Attribute(default: .newUUID) var a: UUID"),
        Example(
            "var a: Date = Date(timeIntervalSinceNow: 0)",
            """
            15: 'Date(timeIntervalSinceNow: 0)' has a different value at each call, but the default of 'a' is the same for all \
            objects: \(remedy)
            """,
            fixed: "var a: Date = .now"),
        Example(
            "var a: Date = .now.addingTimeInterval(60)",
            "15: '.now' has a different value at each call, but the default of 'a' is the same for all objects: \(remedy)"
        ),
        Example(
            "var a: Double = Date.now.timeIntervalSince1970",
            "17: 'Date.now' has a different value at each call, but the default of 'a' is the same for all objects: \(remedy)"
        ),
        Example(
            "var a: Int = .random(in: 0...9)",
            """
            14: '.random(in: 0...9)' has a different value at each call, but the default of 'a' is the same for all objects: \(remedy)
            """),
        Example(
            "@Transient var a: [UUID] = [UUID()]",
            "19: A value of type [UUID] is stored as JSON: add @Attribute(.codable)"),
        Example(
            "@Attribute(.codable) var a: [UUID] = [Foundation.UUID()]",
            """
            39: 'Foundation.UUID()' has a different value at each call, but the default of 'a' is the same for all objects: \(remedy)
            """),
        Example(
            "@Attribute(.codable) var a: Date = .now",
            "36: '.now' has a different value at each call, but the default of 'a' is the same for all objects: \(remedy)"
        ),
    ])
    func `A default is one value for all objects`(_ example: Example) {
        checkProperty(example)
    }

    private static let remedy = "set it in an initializer of the class"

    @Test(arguments: [
        Example(
            "@Attribute(default: usual) var a: Int",
            "21: The default of 'a' must be a literal, .now, .newUUID or .constant(…): a macro can't evaluate expressions"
        ),
        Example(
            "@Attribute(default: .value(.int(3))) var a: Int",
            "21: The default of 'a' must be a literal, .now, .newUUID or .constant(…): a macro can't evaluate expressions"
        ),
        Example(
            "var a: Int = Self.usual",
            "14: The default of 'a' can't use 'Self': Swift doesn't allow it in a class",
            fixed: "var a: Int = Game.usual"),
        Example(
            "@Attribute(renamedFrom: oldName) var a: Int",
            "25: The argument 'renamedFrom' must be a string literal without interpolation: a macro can't evaluate expressions"
        ),
        Example(
            #"@Relationship(hashModifier: "\(2)") var a: Game?"#,
            "29: The argument 'hashModifier' must be a string literal without interpolation: a macro can't evaluate expressions"
        ),
        Example(
            "var a: UUID? = .newUUID",
            "16: '.newUUID' is only for the argument 'default': the initial value of 'a' is written UUID()",
            fixed: "var a: UUID? = UUID()"),
        Example(
            "@Attribute(.unique) var a: Int = .constant(3)",
            "34: '.constant' is only for the argument 'default': the initial value of 'a' is written 3",
            fixed: "@Attribute(.unique) var a: Int = 3"),
    ])
    func `The arguments of a macro must be literals`(_ example: Example) {
        checkProperty(example)
    }

    @Test(arguments: [
        Example(
            "@Entity(isAbstract: isOld) class Game: ManagedObject {}",
            "1:21: The argument 'isAbstract' must be true or false: a macro can't evaluate expressions"),
        Example(
            "@Entity(name: prefix + \"Game\") class Game: ManagedObject {}",
            "1:15: The argument 'name' must be a string literal without interpolation: a macro can't evaluate expressions"
        ),
    ])
    func `The arguments of @Entity must be literals`(_ example: Example) {
        check(example)
    }

    @Test(arguments: [
        Example(
            "override class var entityName: String { \"Match\" }",
            "20: 'entityName' is generated by @Entity: use @Entity(name:)"),
        Example(
            "public override static var slotCount: Int { 3 }",
            "28: 'slotCount' is generated by @Entity: remove it, or write the whole class without the macro"),
    ])
    func `Members that @Entity generates can't be declared`(_ example: Example) {
        checkProperty(example)
    }

    @Test(arguments: [
        Example(
            "var a: Set<Player>",
            """
            5: 'a' needs an inverse: the property of Player that references this entity; if Player is a \
            value type, use @Attribute(.codable)
            """,
            fixed: "@Relationship(inverse: \\.<#property#>) var a: Set<Player>"),
        Example(
            "@Relationship(deleteRule: .cascade, maximumCount: 3) var a: [Player]",
            """
            1: 'a' needs an inverse: the property of Player that references this entity; if Player is a \
            value type, use @Attribute(.codable)
            """,
            fixed: """
                @Relationship(deleteRule: .cascade, inverse: \\.<#property#>, maximumCount: 3) var a: [Player]
                """),
        Example(
            "@Relationship(inverse: path) var a: Set<Player>",
            "24: The inverse of 'a' must be a key path literal, such as \\Player.game"),
        Example(
            "@Relationship(inverse: \\Player.game.owner) var a: Player?",
            "24: The inverse of 'a' must be a single property of the destination class"),
        Example(
            "@Relationship(inverse: \\.game) var a: Set<Player>?",
            "50: 'a' can't be optional: a to-many relationship without objects is empty",
            fixed: "@Relationship(inverse: \\.game) var a: Set<Player>"),
        Example(
            "@Relationship(inverse: \\.game) var a: Optional<[Player]>",
            "39: 'a' can't be optional: a to-many relationship without objects is empty"),
        Example(
            "@Relationship(inverse: \\.game) var a: [Player?]",
            "46: 'a' can't contain optionals: the members of a to-many relationship are objects"),
        Example(
            "@Relationship var a: String",
            "22: 'a' can't be a relationship: String is a value, not a class of managed objects"),
        Example(
            "@Relationship(inverse: \\.game) var a: Set<Data>",
            """
            39: 'a' can't be a relationship: Set<Data> is a value, not a class of managed objects; if Data is a class of \
            your program, write its module before it
            """),
        Example(
            "@Relationship(inverse: \\.game) var a: [Int]",
            "39: 'a' can't be a relationship: [Int] is a value, not a class of managed objects"),
        Example(
            "@Attribute(.unique) var a: Set<Player>",
            "1: 'a' is a collection: use @Relationship(inverse:) for objects, @Attribute(.codable) for values",
            fixed: "@Attribute(.codable, .unique) var a: Set<Player>"),
        Example(
            "@Relationship(minimumCount: 1) var a: Player?",
            "29: 'a' is a to-one relationship: only to-many relationships can have minimumCount and maximumCount"
        ),
        Example(
            "@Relationship(inverse: \\.game) var a: Set<Player> = [ann]",
            "53: 'a' can't have an initial value: a relationship starts empty"),
    ])
    func `A relationship refers to objects, with an inverse`(_ example: Example) {
        checkProperty(example)
    }

    @Test(arguments: [
        Example(
            "@Relationship(inverse: \\Game.parts) var whole: Game?; @Relationship(inverse: \\Game.whole) var parts: Set<Game>",
            "24: 'whole' and 'parts' refer to each other with the class name, which is a circular reference in Swift: write \\.parts",
            fixed:
                "@Relationship(inverse: \\.parts) var whole: Game?; @Relationship(inverse: \\Game.whole) var parts: Set<Game>"
        ),
        Example(
            "@Relationship(inverse: \\Game.rivals) var rivals: [Game]",
            "24: 'rivals' refers to itself with the class name, which is a circular reference in Swift: write \\.rivals",
            fixed: "@Relationship(inverse: \\.rivals) var rivals: [Game]"),
    ])
    func `Two ends in one class that name each other omit the class once`(_ example: Example) {
        checkProperty(example)
    }

    @Test(arguments: [
        "@Relationship(inverse: \\.parts) var whole: Game?; @Relationship(inverse: \\Game.whole) var parts: Set<Game>",
        "var whole: Game?; @Relationship(inverse: \\Game.whole) var parts: Set<Game>",
        "@Relationship(inverse: \\Club.games) var club: Club?; @Relationship(inverse: \\Game.club) var games: Set<Game>",
    ])
    func `One end may name its own class`(_ properties: String) {
        #expect(Expansion("@Entity final class Game: ManagedObject {\n\(properties)\n}").reports == [])
    }

    @Test func `An option of a derived attribute is no key path`() {
        let properties = """
            var price: Decimal
            @Derived(.copy(\\.price), .decimal(precision: 10, scale: 2)) var copied: Decimal
            """
        #expect(Expansion("@Entity final class Game: ManagedObject {\n\(properties)\n}").reports == [])
    }

    @Test(arguments: [
        (#"unique: [[\.titel]]"#, 19), (#"indexes: [.index(.ascending(\.title), .descending(\.titel))]"#, 59),
    ])
    func `An index names existing properties`(_ argument: String, _ column: Int) {
        let source = "@Entity(\(argument)) final class Game: ManagedObject { var title: String }"
        #expect(
            Expansion(source).reports
                == ["1:\(column): 'Game' has no stored property 'titel': correct the key path"])
        let inherited = source.replacing("ManagedObject", with: "Contest")
        #expect(Expansion(inherited).reports == [])
    }

    /// Both expansions see the same attributes, and can't distinguish them.
    @Test func `A class is an entity once`() {
        let expansion = Expansion(
            "/// A game.\n@available(*, deprecated) @Entity @Entity class Game: ManagedObject {}")
        #expect(Set(expansion.reports) == ["2:35: 'Game' has @Entity twice: remove one of them"])
    }

    @Test func `Other attributes may precede @Entity`() {
        let expansion = Expansion("@available(*, deprecated) @Entity class Game: ManagedObject {}")
        #expect(expansion.reports == [])
    }
}
