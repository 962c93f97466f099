import Testing

struct CompositeMacroTests {
    @Test func `A struct expands as the documentation of composites shows`() {
        let expansion = Expansion(
            """
            @Composite struct Address {
                @Attribute(.length(1...80)) var street: String
                var city: String? = nil
                let zip: Int
                var line: String { street }
                static let none = 0
            }
            """)
        #expect(expansion.reports == [])
        #expect(
            expansion.text == """
                struct Address {
                    var street: String
                    var city: String? = nil
                    let zip: Int
                    var line: String { street }
                    static let none = 0
                }

                extension Address: CompositeValue {
                    static var partDescriptions: [PropertyDescription] {
                        [
                            .property("street", String.self, .length(1...80)),
                            .property("city", String?.self),
                            .property("zip", Int.self),
                        ]
                    }
                    static var placeholder: Address {
                        Address(street: .placeholder, city: .placeholder, zip: .placeholder)
                    }
                    var storedValue: StoredValue {
                        .composite([city.storedValue, street.storedValue, zip.storedValue])
                    }
                    init?(storedValue: StoredValue) {
                        guard case .composite(let _parts) = storedValue, _parts.count == 3,
                            let city = String?(storedValue: _parts[0]),
                            let street = String(storedValue: _parts[1]),
                            let zip = Int(storedValue: _parts[2])
                        else { return nil }
                        self.init(street: street, city: city, zip: zip)
                    }
                }
                """)
    }

    @Test func `The conformance has the struct's access level`() {
        let text = Expansion("@Composite public struct Size { public var width: Double }").text
        for member in ["static var partDescriptions", "static var placeholder", "var storedValue", "init?("] {
            #expect(text.contains("\n    public \(member)"))
        }
    }

    @Test func `The struct's own initializer may take the parts`() {
        let source = "@Composite struct Size { var width: Int; init(width: Int = 1) { self.width = width } }"
        #expect(Expansion(source).reports == [])
    }

    /// Each name is used by the extension itself, or is reserved by Swift unless it is in backticks.
    @Test func `Parts may have the names that the extension uses`() {
        let expansion = Expansion(
            "@Composite struct Box { var parts: Int; var `default`: Int; var `in`: Int; var `inout`: Int }")
        #expect(expansion.reports == [])
        #expect(expansion.text.contains("let parts = Int(storedValue: _parts[3])"))
        #expect(
            expansion.text.contains(
                "self.init(parts: parts, default: `default`, in: `in`, `inout`: `inout`)"))
    }

    @Test func `A part may have observers`() {
        #expect(Expansion("@Composite struct Size { var width: Int { didSet {} } }").reports == [])
    }

    @Test func `In an extension with an access level, the conformance has that level`() {
        let text = Expansion("public extension Zoo { @Composite struct Size { var width: Int } }").text
        #expect(text.contains("public var storedValue"))
    }

    @Test(arguments: [
        ("@Composite class Size {}", "1:12: @Composite can be applied only to a struct; 'Size' is a class"),
        ("@Composite enum Size {}", "1:12: @Composite can be applied only to a struct; 'Size' is an enum"),
        (
            "@Composite struct Size<T> { var width: Int }",
            "1:23: 'Size' can't be generic: each part of a composite has one type"
        ),
        (
            "@Composite struct Size { var all: Int { 1 } }",
            "1:19: 'Size' has no stored properties: a composite needs at least one"
        ),
        (
            "@Composite struct Size { let width: Int = 1 }",
            "1:43: 'width' can't be a constant with an initial value: it is set from the store"
        ),
        (
            "@Composite struct Size { @Relationship(inverse: \\.size) var a: Set<Box> }",
            "1:26: 'a' can't be a relationship: the parts of a composite are attributes"
        ),
        (
            "@Composite struct Size { @Derived(.now) var a: Date }",
            "1:26: 'a' can't be @Derived: the parts of a composite are stored attributes"
        ),
        ("@Composite struct Size { var a: (Int, Int) }", "1:33: (Int, Int) can't be stored"),
        (
            "@Composite struct Size { @Attribute(.codable) var a: [Int] }",
            "1:26: 'a' can't be stored as JSON or transformed: the parts of a composite are columns"
        ),
        (
            "@Composite struct Size { var a: Int; var b: Int; init(b: Int) { a = 1; self.b = b } }",
            "1:19: 'Size' needs init(a:b:), with a parameter for each part in order"
        ),
        (
            "@Composite struct Size { var a: Int; init(a: Int) throws { self.a = a } }",
            "1:19: 'Size' needs init(a:), with a parameter for each part in order"
        ),
        (
            "@Composite struct Size { var a: Int; init?(a: Int) { self.a = a } }",
            "1:19: 'Size' needs init(a:), with a parameter for each part in order"
        ),
        (
            "@Composite struct Size { var storedValue: Int }",
            "1:30: 'storedValue' is reserved by CompositeValue or Swift: choose another name for the part"
        ),
        (
            "@Composite struct Size { var `self`: Int }",
            "1:30: 'self' is reserved by CompositeValue or Swift: choose another name for the part"
        ),
        (
            "@Composite struct Size { let a: Int, b: Int }",
            "1:38: Each part of a composite needs its own 'var' or 'let'"
        ),
        (
            "@Composite struct Size { lazy var a: Int = 3 }",
            "1:26: 'a' can't be 'lazy': a part of a composite is a plain value"
        ),
        (
            "@Composite struct Size { @Attribute(.length(1...3), .unique) var a: String }",
            "1:53: 'a' can't be .unique in a composite: use @Entity(unique:) where the composite is used"
        ),
        (
            "@Composite struct Size { @Attribute(.indexed) var a: String }",
            "1:37: 'a' can't be .indexed in a composite: use @Entity(indexes:) where the composite is used"
        ),
    ])
    func `A composite is a struct of attributes`(_ source: String, _ report: String) {
        #expect(Expansion(source).reports == [report])
    }
}
