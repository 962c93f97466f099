import Testing

struct CompilerReportTests {
    @Test func `A model with many mistakes gets a message for each at its position`() throws {
        let reports = try Compilation(of: modelWithMistakes).reports
        for expected in reportsOfMistakes { #expect(reports.contains(expected)) }
        #expect(Set(reportsOfMistakes.map { $0.drop { $0 != " " } }).count == reportsOfMistakes.count)
        #expect(reportsOfMistakes.count >= 20)
    }

    @Test func `One mistake is one diagnostic`() throws {
        let compilation = try Compilation(
            of: """
                import ContextCore
                @Entity final class Game: ManagedObject {
                    var title: String
                    var tags: [String]
                    var pair: (Int, Int)
                }
                func play(_ game: Game) { game.tags = [game.title] }
                """)
        #expect(
            compilation.reports == [
                "4:15: error: A value of type [String] is stored as JSON: add @Attribute(.codable)",
                "5:15: error: (Int, Int) can't be stored",
            ])
    }

    /// Otherwise the compiler would report the same mistake without a remedy.
    @Test func `Two ends that name each other get a remedy`() throws {
        let compilation = try Compilation(
            of: #"""
                import ContextCore
                @Entity final class Node: ManagedObject {
                    @Relationship(inverse: \Node.children) var parent: Node?
                    @Relationship(inverse: \Node.parent) var children: Set<Node>
                }
                """#)
        #expect(
            compilation.reports.contains(
                #"3:28: error: 'parent' and 'children' refer to each other with the class name, which is a circular reference in Swift: write \.children"#
            ))
    }

    /// The macro isn't expanded then, so an overload has the message.
    @Test(arguments: [
        (
            #"unique: [[\Game.title, \Game.size]]"#,
            #"Omit the class in the key paths: @Entity(unique: [[\.title, \.startedAt]])."#
        ),
        (
            #"indexes: [.index(.ascending(\Game.title))]"#,
            #"Omit the class in the key path: .ascending(\.title)."#
        ),
    ])
    func `A key path with the class of the entity gets a remedy`(argument: String, remedy: String) throws {
        func program(_ argument: String) -> String {
            """
            import ContextCore
            @Entity(\(argument)) final class Game: ManagedObject {
                var title: String
                var size: Int
            }
            """
        }
        let reports = try Compilation(of: program(argument)).reports
        #expect(reports.contains { $0.contains(remedy) }, "\(reports)")
        #expect(try Compilation(of: program(argument.replacing("Game", with: ""))).reports == [])
    }

    /// Each of these once failed to compile, with an error inside the expansion.
    @Test func `Legal Swift compiles in its expansion too`() throws {
        let compilation = try Compilation(
            of: #"""
                import ContextCore
                import Foundation
                let standard = 5
                enum Level: Int, CaseIterable, AttributeValue { case easy }
                extension Date { static let founded = Date(timeIntervalSince1970: 0) }
                @Composite public struct Box {
                    var parts: Int
                    var `default`: Int
                    var `in`: Int { didSet {} }
                    private var predicateExpression: Int = 3
                }
                @Entity public final class Game: ManagedObject {
                    static let usual = 3
                    public var score: Int = standard
                    public var bonus: Int = usual
                    public var at: Date = .founded
                    public var box: Box?
                    var level: Level = .easy
                }
                @Entity open class Match: ManagedObject {
                    public var title: String
                    var level: Level
                    @Relationship(inverse: \.match) private var rounds: Set<Round>
                }
                @Entity final class Round: ManagedObject {
                    private enum Kind: Int, CaseIterable, AttributeValue { case short }
                    private var kind: Kind
                    var match: Match?
                }
                enum Hidden {
                    @Entity public final class Cat: ManagedObject { public var level: Level = .easy }
                }
                public enum Zoo {}
                public extension Zoo {
                    @Entity final class Pet: ManagedObject { public var size: Int = standard }
                    @Composite struct Cage { public var parts: Int }
                }
                @Entity(name: nil, renamedFrom: nil) final class Character: ManagedObject {
                    var mentor: Program.Character?
                    @Relationship(inverse: \.author) var pages: Set<Program.Data>
                }
                @Entity final class Data: ManagedObject {
                    var author: Program.Character?
                    var next: Data?
                }
                func play(in context: ObjectContext) {
                    let game = Game(in: context, score: 3, box: nil)
                    let match = Match(in: context, title: "Go", level: game.level)
                    print(match.level, Zoo.Pet(in: context), Character(in: context, pages: [Data(in: context)]))
                }
                """#)
        #expect(compilation.reports == [])
    }

    @Test func `A member that the macro generates is one diagnostic, and an initializer is none`() throws {
        let compilation = try Compilation(
            of: """
                import ContextCore
                @Entity final class Game: ManagedObject {
                    var title: String
                    override class var entityName: String { "Match" }
                    convenience init(in context: ObjectContext, title: String) {
                        self.init(insertingInto: context)
                        self.title = title.uppercased()
                    }
                }
                """)
        #expect(
            compilation.reports == ["4:24: error: 'entityName' is generated by @Entity: use @Entity(name:)"])
    }

    @Test func `An invalid default is one diagnostic`() throws {
        let compilation = try Compilation(
            of: """
                import ContextCore
                @Entity final class Game: ManagedObject {
                    static let usual = 3
                    var a: Int = Self.usual
                    @Attribute(default: .value(.int(3))) var b: Int
                }
                func play(in context: ObjectContext) { print(Game(in: context), Game(in: context, a: 2, b: 3)) }
                """)
        #expect(
            compilation.reports == [
                "4:18: error: The default of 'a' can't use 'Self': Swift doesn't allow it in a class",
                "5:25: error: The default of 'b' must be a literal, .now, .newUUID or .constant(…): a macro can't evaluate expressions",
            ])
    }

    @Test func `A form of the argument 'default' as an initial value gets a remedy`() throws {
        let compilation = try Compilation(
            of: """
                import ContextCore
                import Foundation
                enum Curve: Codable, Sendable { case constant(Int) }
                @Entity final class Game: ManagedObject {
                    var token: UUID = .newUUID
                    var other: UUID = UUID()
                    @Attribute(default: .newUUID) var third: UUID
                    @Attribute(.codable) var curve: Curve = .constant(3)
                }
                """)
        #expect(
            compilation.reports.contains(
                "5:23: error: '.newUUID' is only for the argument 'default': the initial value of 'token' is written UUID()"
            ))
        #expect(compilation.reports.allSatisfy { $0.hasPrefix("5:") }, "\(compilation.reports)")
    }

    @Test func `An enumeration that can't be stored gets a remedy`() throws {
        let compilation = try Compilation(
            of: """
                import ContextCore
                enum Kind { case board, cards }
                enum Level: String { case easy, hard }
                @Entity final class Game: ManagedObject {
                    var kind: Kind
                    var level: Level?
                }
                """)
        #expect(!compilation.reports.isEmpty)
        for report in compilation.reports {
            #expect(report.contains("enum Kind: String, CaseIterable, AttributeValue"), "\(report)")
        }
    }

    @Test func `An enumeration without CaseIterable or a placeholder gets a remedy`() throws {
        let compilation = try Compilation(
            of: """
                import ContextCore
                enum Kind: String, AttributeValue { case board, cards }
                enum Level: Int, AttributeValue {
                    case easy, hard
                    static let placeholder = Level.easy
                }
                enum Mood: String, CaseIterable, AttributeValue { case good, bad }
                struct Code: RawRepresentable, AttributeValue {
                    var rawValue: Int
                    static var placeholder: Code { Code(rawValue: 0) }
                }
                """)
        #expect(compilation.reports.allSatisfy { $0.hasPrefix("2:6: error: ") }, "\(compilation.reports)")
        #expect(
            compilation.reports.contains { $0.contains("enum Kind: String, CaseIterable, AttributeValue.") },
            "\(compilation.reports)")
    }

    @Test func `A program without mistakes compiles without a warning`() throws {
        let compilation = try Compilation(
            of: #"""
                import ContextCore
                import Foundation
                @Entity open class Person: ManagedObject {
                    /// The name.
                    @Attribute(.unique, .length(1...80), .pattern("[a-z]+")) public var name: String
                    var value: Int = 0
                    @Relationship(inverse: \.owner) public var pets: [Pet]
                }
                public enum Zoo {
                    @Entity public final class Pet: ManagedObject {
                        public var owner: Person?
                        @Relationship(inverse: \Pet.child) var parent: Pet?
                        var child: Pet?
                        public internal(set) var token: UUID = UUID()
                    }
                }
                public typealias Pet = Zoo.Pet
                func play(in context: ObjectContext) {
                    @Entity final class Local: ManagedObject { @Attribute(default: 3) var size: Int }
                    let person = Person(in: context, name: "Ann", pets: [Pet(in: context)])
                    person.pets.append(Pet(in: context, owner: person))
                    print(Local(in: context).size, person.snapshot().name)
                }
                """#)
        #expect(compilation.reports == [])
    }
}

private let modelWithMistakes = #"""
    import ContextCore
    import Foundation
    @Entity struct Value {}
    @Entity final class Orphan { var size: Int }
    @Entity final class Box<Content>: ManagedObject {}
    @Entity final class Game: ManagedObject {
        let a: Int = 0
        var b = 0
        var c: [String]
        var d: Set<Game>
        var e: (Int, Int)
        @Attribute var f: Int { 3 }
        @Attribute @Relationship var g: Game?
        lazy var h: Int = 3
        var i: Int = 0 { didSet {} }
        var j: Int!
        @Relationship var k: String
        #if true
        var l: Int
        #endif
        var m: UInt64
        @Attribute(default: 3) var n: Int = 4
        @Transient var o: Int
        @Derived(.count(\.nowhere)) var p: Int
        var q1: Int, q2: Int
        var objectID: Int
        @Relationship(inverse: \.d, minimumCount: 3) var r: Game?
        @Relationship(inverse: \.d.e) var s: Set<Game>
        @Relationship(inverse: \.d) var t: Set<Game>?
        @Attribute(.unique) static var u: Int = 0
        @Derived(.now) var v: Date = .now
    }
    struct Stray { @Transient var size: Int = 0 }
    @Composite struct Empty {}
    """#

private let reportsOfMistakes = [
    "3:9: error: @Entity can be applied only to a class of managed objects; 'Value' is a struct",
    "4:21: error: 'Orphan' needs a superclass: ManagedObject or the class of another entity",
    "5:24: error: 'Box' can't be generic: each property of an entity has one type",
    "7:5: error: 'a' must be 'var': the context sets it when it loads the object",
    "8:9: error: 'b' needs an explicit type: a macro can't infer it",
    "9:12: error: A value of type [String] is stored as JSON: add @Attribute(.codable)",
    """
    10:9: error: 'd' needs an inverse: the property of Game that references this entity; if Game is a \
    value type, use @Attribute(.codable)
    """,
    "11:12: error: (Int, Int) can't be stored",
    "12:5: error: @Attribute can't be applied to the computed property 'f': only stored properties are persistent",
    "13:16: error: 'g' can't be both @Attribute and @Relationship: remove one of them",
    "14:5: error: 'h' can't be 'lazy': its value is stored in the object's context",
    "15:22: error: 'i' can't have didSet: @Entity generates its accessors",
    "16:15: error: 'j' can't be implicitly unwrapped: make it optional or nonoptional",
    "17:26: error: 'k' can't be a relationship: String is a value, not a class of managed objects",
    "19:9: error: 'l' can't be inside #if: an entity has the same properties in every build",
    "21:12: error: UInt64 can't be stored; use Int64",
    "22:25: error: 'n' has two defaults, its initial value and the argument 'default': remove one of them",
    "23:23: error: 'o' needs an initial value or an optional type: a @Transient property isn't loaded from the store",
    "24:21: error: 'Game' has no stored property 'nowhere': correct the key path",
    "25:18: error: Each property of an entity needs its own 'var'",
    "26:9: error: 'objectID' is reserved by ManagedObject or Swift: choose another name for the property",
    "27:47: error: 'r' is a to-one relationship: only to-many relationships can have minimumCount and maximumCount",
    "28:28: error: The inverse of 's' must be a single property of the destination class",
    "29:49: error: 't' can't be optional: a to-many relationship without objects is empty",
    "30:5: error: @Attribute can't be applied to the type property 'u': only instance properties are persistent",
    "31:34: error: 'v' can't have an initial value: the store computes it",
    "33:16: error: @Transient can be applied only to a stored property in an @Entity class or an @Composite struct",
    "34:19: error: 'Empty' has no stored properties: a composite needs at least one",
]
