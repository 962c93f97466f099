import Testing

struct CompositeMacroTests {
    @Test func `A struct becomes what the documentation of composites shows`() {
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
                        guard case .composite(let parts) = storedValue, parts.count == 3,
                            let city = String?(storedValue: parts[0]),
                            let street = String(storedValue: parts[1]),
                            let zip = Int(storedValue: parts[2])
                        else { return nil }
                        self.init(street: street, city: city, zip: zip)
                    }
                }
                """)
    }

    @Test func `The conformance can be seen as far as the struct`() {
        let text = Expansion("@Composite public struct Size { public var width: Double }").text
        for member in ["static var partDescriptions", "static var placeholder", "var storedValue", "init?("] {
            #expect(text.contains("\n    public \(member)"))
        }
    }

    @Test func `An initialiser of the struct's own may take the parts`() {
        let source = "@Composite struct Size { var width: Int; init(width: Int = 1) { self.width = width } }"
        #expect(Expansion(source).reports == [])
    }

    @Test(arguments: [
        ("@Composite class Size {}", "1:12: @Composite stands before a struct; 'Size' is a class"),
        ("@Composite enum Size {}", "1:12: @Composite stands before a struct; 'Size' is an enum"),
        (
            "@Composite struct Size<T> { var width: Int }",
            "1:23: 'Size' can't be generic: each part of a composite has one type"
        ),
        ("@Composite struct Size { var all: Int { 1 } }", "1:19: 'Size' has no stored properties to keep"),
        (
            "@Composite struct Size { let width: Int = 1 }",
            "1:43: 'width' can't be a constant with a value: a store sets it"
        ),
        (
            "@Composite struct Size { @Relationship(inverse: \\.size) var a: Set<Box> }",
            "1:26: 'a' can't be a relationship: the parts of a composite are attributes"
        ),
        (
            "@Composite struct Size { @Derived(.now) var a: Date }",
            "1:26: 'a' can't be @Derived: the parts of a composite are stored attributes"
        ),
        ("@Composite struct Size { var a: (Int, Int) }", "1:33: No store keeps (Int, Int)"),
        (
            "@Composite struct Size { @Attribute(.codable) var a: [Int] }",
            "1:26: 'a' can't be kept as JSON or be transformed: the parts of a composite are columns"
        ),
        (
            "@Composite struct Size { var a: Int; var b: Int; init(b: Int) { a = 1; self.b = b } }",
            "1:19: 'Size' needs init(a:b:), which takes every part in order"
        ),
    ])
    func `A composite is a struct of attributes`(_ source: String, _ report: String) {
        #expect(Expansion(source).reports == [report])
    }
}
