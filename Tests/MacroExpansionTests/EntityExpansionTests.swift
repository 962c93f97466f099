import Testing

struct EntityExpansionTests {
    @Test func `The first program's class expands as its documentation shows`() {
        let expansion = Expansion(
            #"""
            /// A game.
            @Entity final class Game: ManagedObject {
                /// Its title.
                @Attribute(.unique) var title: String
                var startedAt: Date = .now
                @Relationship(deleteRule: .cascade, inverse: \Player.game) var players: Set<Player>
            }
            """#)
        #expect(expansion.reports == [])
        #expect(expansion.text == expandedGame)
    }

    @Test func `A subclass counts its slots from those of its superclass`() {
        let expansion = Expansion(
            """
            @Entity final class Employee: Person {
                var salary: Decimal = 0
                var boss: Employee?
            }
            """)
        #expect(
            expansion.text == """
                final class Employee: Person {
                    var salary: Decimal {
                        get { value(at: Person.slotCount + 1) }
                        set { setValue(newValue, at: Person.slotCount + 1) }
                    }
                    var boss: Employee? {
                        get { value(at: Person.slotCount) }
                        set { setValue(newValue, at: Person.slotCount) }
                    }

                    override class var entityName: String { "Employee" }

                    override class var slotNames: [String] { Person.slotNames + ["boss", "salary"] }

                    override class var slotCount: Int { Person.slotCount + 2 }

                    override class var entityDescription: EntityDescription {
                        EntityDescription(
                            of: Employee.self,
                            inheriting: Person.self,
                            hasDeletionHooks: false,
                            properties: [
                                .property("salary", Decimal.self, default: 0),
                                .property("boss", Employee?.self),
                            ])
                    }

                    /// Inserts a new object into a context.
                    convenience init(in context: borrowing ObjectContext, salary: Decimal = 0, boss: Employee? = nil) {
                        self.init(insertingInto: context)
                        self.salary = salary
                        self.boss = boss
                    }
                }
                """)
    }

    @Test func `The attribute's arguments are in the entity's description`() {
        let expansion = Expansion(
            #"""
            @Entity(
                name: "Match", indexes: [.index(.ascending(\.title))], unique: [[\.title]], renamedFrom: "Game",
                hashModifier: "2")
            final class Game: ContextCore.ManagedObject {
                var title: String?
            }
            """#)
        #expect(expansion.reports == [])
        #expect(expansion.text.contains(#"override class var entityName: String { "Match" }"#))
        #expect(
            expansion.text.contains(
                #"""
                        EntityDescription(
                            of: Game.self,
                            hasDeletionHooks: false,
                            properties: [
                                .property("title", String?.self),
                            ],
                            indexes: [.index(.ascending(\.title))],
                            uniqueConstraints: [[\.title]],
                            renamingIdentifier: "Game",
                            versionHashModifier: "2")
                """#))
    }

    @Test(arguments: [
        ("override func prepareForDeletion() {}", true), ("override func willSave() {}", true),
        ("override func validateForDelete() throws {}", true), ("override func didSave() {}", true),
        ("#if DEBUG\noverride func didSave() {}\n#endif", true), ("#hooks", true),
        ("override func awakeFromFetch() {}", false), ("override func validateForInsert() throws {}", false),
        ("func save() {}", false),
    ])
    func `Properties that can affect a deletion are recognized`(member: String, hasHooks: Bool) {
        let expansion = Expansion("@Entity class Thing: ManagedObject { \(member)\n }")
        #expect(expansion.text.contains("hasDeletionHooks: false") != hasHooks)
    }

    @Test func `Another macro may generate a hook`() {
        let expansion = Expansion("@Audited @Entity class Thing: ManagedObject { var size: Int = 0 }")
        #expect(!expansion.text.contains("hasDeletionHooks"))
    }

    @Test func `An abstract entity has no initializer`() {
        let expansion = Expansion(
            "@Entity(isAbstract: true) class Thing: ManagedObject { var size: Int = 0 }")
        #expect(expansion.text.contains("isAbstract: true,"))
        #expect(!expansion.text.contains("init("))
    }

    @Test(arguments: [
        ("", "override class", "convenience init"), ("private ", "override class", "convenience init"),
        ("package ", "package override class", "package convenience init"),
        ("public ", "public override class", "public convenience init"),
        ("open ", "open override class", "public convenience init"),
    ])
    func `Members have the access level of their class`(
        _ access: String, _ override: String, _ initializer: String
    ) {
        let text = Expansion("@Entity \(access)class Game: ManagedObject {}").text
        for member in ["entityName", "slotNames", "slotCount", "entityDescription"] {
            #expect(text.contains("    \(override) var \(member)"))
        }
        #expect(text.contains("    \(initializer)(in context: borrowing ObjectContext) {"))
    }

    @Test(arguments: [
        ("public", "private", "private convenience"), ("public", "fileprivate", "fileprivate convenience"),
        ("public", "", "convenience"), ("public", "package", "package convenience"),
        ("open", "public", "public convenience"), ("open", "internal", "convenience"),
        ("package", "public", "package convenience"), ("package", "", "convenience"),
        ("", "private", "private convenience"), ("", "public private(set)", "convenience"),
        ("private", "private", "private convenience"), ("private", "", "convenience"),
        ("fileprivate", "fileprivate", "convenience"),
    ])
    func `The initializer has the access level of the class and of every required property`(
        _ ofClass: String, _ ofProperty: String, _ initializer: String
    ) {
        let text = Expansion("@Entity \(ofClass) class Game: ManagedObject { \(ofProperty) var a: Int }").text
        #expect(text.contains("\n    \(initializer) init(in context: borrowing ObjectContext, a: Int) {"))
    }

    @Test func `A class in an extension has the extension's access level`() {
        let text = Expansion("public extension Zoo { @Entity final class Pet: ManagedObject {} }").text
        for member in ["override class var entityName", "override class var slotCount", "convenience init("] {
            #expect(text.contains("    public \(member)"))
        }
    }

    /// The default value of a public function's parameter may refer only to public declarations, and a macro can't see which are.
    @Test func `Other modules get a public class's defaults by a usable member`() {
        let expansion = Expansion(
            """
            @Entity public final class Game: ManagedObject {
                public var level: Level = .easy
                public var size: Int = -3
                public var startedAt: Date = .now
                public var tags: Tags? = ["a"]
                @Attribute(default: .constant(standard)) public var points: Int
            }
            """)
        #expect(expansion.reports == [])
        #expect(
            expansion.text.contains(
                """

                    /// The default values of the initializer's arguments, for modules that can't see the expressions.
                    @usableFromInline enum InitialValues {
                        @usableFromInline static var level: Level { .easy }
                        @usableFromInline static var points: Int { standard }
                    }

                    /// Inserts a new object into a context.
                    public convenience init(
                        in context: borrowing ObjectContext,
                        level: Level = InitialValues.level,
                        size: Int = -3,
                        startedAt: Date = .now,
                        tags: Tags? = ["a"],
                        points: Int = InitialValues.points
                    ) {
                """))
    }

    @Test func `A class nested in a hidden one needs no such member`() {
        let source = "enum Zoo { @Entity public class Pet: ManagedObject { public var a: Int = standard } }"
        #expect(
            Expansion(source).text.contains("init(in context: borrowing ObjectContext, a: Int = standard) {"))
        #expect(Expansion("public " + source).text.contains("a: Int = InitialValues.a) {"))
    }

    @Test func `The class's own initializer replaces the macro's`() {
        let own =
            "convenience init(in context: ObjectContext, a name: Int) { self.init(insertingInto: context) }"
        let text = Expansion("@Entity class Game: ManagedObject { var a: Int; \(own) }").text
        #expect(text.ranges(of: "convenience init(in context").count == 1)
        let other = own.replacing("a name", with: "b")
        let both = Expansion("@Entity class Game: ManagedObject { var a: Int; \(other) }").text
        #expect(both.ranges(of: "convenience init(in context").count == 2)
    }

    @Test(arguments: ["", "package "])
    func `Within a package, an argument has its own default`(_ access: String) {
        let source = "@Entity \(access)class Game: ManagedObject { \(access)var a: Int = standard }"
        #expect(
            Expansion(source).text.contains(
                "convenience init(in context: borrowing ObjectContext, a: Int = standard) {"))
    }

    @Test func `A nil argument equals a missing one`() {
        let expansion = Expansion(
            """
            @Entity(name: nil, renamedFrom: nil, hashModifier: nil) class Game: ManagedObject {
                @Attribute(default: nil, renamedFrom: nil) var a: Int?
                @Relationship(inverse: nil, minimumCount: nil) var b: Game?
            }
            """)
        #expect(expansion.reports == [])
        #expect(expansion.text.contains(#"override class var entityName: String { "Game" }"#))
        #expect(
            expansion.text.contains(
                """
                            properties: [
                                .property("a", Int?.self),
                                .property("b", Game?.self),
                            ])
                """))
    }

    @Test func `Properties that aren't stored in objects are ignored`() {
        let expansion = Expansion(
            """
            @Entity final class Game: ManagedObject {
                static let limit = 4
                static var shared: Game?
                var isOver: Bool { true }
                var half: Int { get { 1 } set {} }
                func stop() {}
                enum Kind { case short }
            }
            """)
        #expect(expansion.reports == [])
        #expect(expansion.text.contains("static var shared: Game?\n"))
        #expect(expansion.text.contains("var isOver: Bool { true }\n"))
        #expect(expansion.text.contains("override class var slotNames: [String] { [] }"))
    }
}

private let expandedGame = #"""
    /// A game.
    final class Game: ManagedObject {
        /// Its title.
        var title: String {
            get { value(at: 2) }
            set { setValue(newValue, at: 2) }
        }
        var startedAt: Date {
            get { value(at: 1) }
            set { setValue(newValue, at: 1) }
        }
        var players: Set<Player> {
            get { value(at: 0) }
            set { setValue(newValue, at: 0) }
        }

        override class var entityName: String { "Game" }

        override class var slotNames: [String] { ["players", "startedAt", "title"] }

        override class var slotCount: Int { 3 }

        override class var entityDescription: EntityDescription {
            EntityDescription(
                of: Game.self,
                hasDeletionHooks: false,
                properties: [
                    .property("title", String.self, .unique),
                    .property("startedAt", Date.self, default: .now),
                    .property("players", Set<Player>.self, inverse: "game", deleteRule: .cascade),
                ])
        }

        /// Inserts a new object into a context.
        convenience init(
            in context: borrowing ObjectContext,
            title: String,
            startedAt: Date = .now,
            players: Set<Player> = []
        ) {
            self.init(insertingInto: context)
            self.title = title
            self.startedAt = startedAt
            self.players = players
        }
    }
    """#
