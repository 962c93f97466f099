import Testing

struct EntityExpansionTests {
    @Test func `The first program's class becomes what its documentation shows`() {
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
                            properties: [
                                .property("salary", Decimal.self, default: 0),
                                .property("boss", Employee?.self),
                            ])
                    }

                    /// Inserts a new object into a context.
                    convenience init(in context: ObjectContext, salary: Decimal = 0, boss: Employee? = nil) {
                        self.init(insertingInto: context)
                        self.salary = salary
                        self.boss = boss
                    }
                }
                """)
    }

    @Test func `What the attribute says of the entity reaches its description`() {
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
                            properties: [
                                .property("title", String?.self),
                            ],
                            indexes: [.index(.ascending(\.title))],
                            uniqueConstraints: [[\.title]],
                            renamingIdentifier: "Game",
                            versionHashModifier: "2")
                """#))
    }

    @Test func `An abstract entity has no initialiser`() {
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
    func `Members can be seen as far as their class`(
        _ access: String, _ override: String, _ initialiser: String
    ) {
        let text = Expansion("@Entity \(access)class Game: ManagedObject {}").text
        for member in ["entityName", "slotNames", "slotCount", "entityDescription"] {
            #expect(text.contains("    \(override) var \(member)"))
        }
        #expect(text.contains("    \(initialiser)(in context: ObjectContext) {"))
    }

    @Test func `What is not stored in each object is left alone`() {
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
                properties: [
                    .property("title", String.self, .unique),
                    .property("startedAt", Date.self, default: .now),
                    .property("players", Set<Player>.self, inverse: "game", deleteRule: .cascade),
                ])
        }

        /// Inserts a new object into a context.
        convenience init(
            in context: ObjectContext,
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
