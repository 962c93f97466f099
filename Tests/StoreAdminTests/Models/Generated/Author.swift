import ContextCore

/// An object of the entity `Author`.
@Entity(
    indexes: [
        .index(.ascending(\.address.city)),
        .index(.ascending(\.name), .descending(\.born)),
        .index(.ascending(\.name), where: #"bookCount > 3 AND name != "x""#),
    ],
    unique: [[\.name, \.born]],
    renamedFrom: "Writer")
final class Author: ManagedObject {
    var address: Address? = Address(city: "Rome", default: true, geo: nil, street: "Via Appia 1")
    @Attribute(.externalStorage()) var biography: String?
    /// The number of `books`.
    @Derived(.count(\.books)) var bookCount: Int
    // The date is in the range from 1900-01-01T00:00:00Z until 2026-08-01T12:00:00Z.
    @Attribute(
        .indexed,
        .range(Date(microseconds: -2_208_988_800_000_000)...Date(microseconds: 1_785_585_600_000_000)))
    var born: Date?
    @Transient var draft: String?
    @Attribute(.decimal(precision: 12, scale: 2), .range(0.5...1000)) var fee: Decimal = 12.5
    @Transient var isOpen: Bool = false
    var key: UUID = UUID()
    /// The maximum of `publishedAt` over `books`.
    @Derived(.maximum(\.books, \.publishedAt)) var lastSale: Date?
    @Attribute(
        .unique,
        .length(1...120),
        .pattern(#"^[A-Z][a-z\-]+( [^"]+)*$"#),
        .preserveValueOnDeletion,
        renamedFrom: "fullName")
    var name: String
    // The model doesn't contain the type of the value: replace JSONContent.
    @Attribute(.codable) var notes: JSONContent?
    /// The sum of `pages` over `books`.
    @Derived(.sum(\.books, \.pages), .hashModifier("2")) var pages: Int
    // CompressedImageTransformer passes the stored values on: replace its two functions.
    @Attribute(.transformable(by: CompressedImageTransformer.self), .externalStorage(over: 4096))
    var portrait: Data?
    /// The text of `name` without case and diacritics.
    @Derived(.canonical(\.name)) var searchName: String
    // SealedTransformer passes the stored values on: replace its two functions.
    @Attribute(.transformable(by: SealedTransformer.self)) var secret: String
    // The model doesn't contain the type of the value: replace JSONContent.
    @Attribute(.codable)
    var settings: JSONContent = JSONContent.object([
        "colors": .array([.string("red"), .null, .number(1.5), .integer(-3)]),
        "isOn": .bool(true),
        "more": .object([:]),
    ])
    @Attribute(.range(-100...(-1))) var visits: Int16 = -7
    /// The `Book` objects whose `author` is this object.
    @Relationship(deleteRule: .cascade, inverse: \Book.author, minimumCount: 1, maximumCount: 5000)
    var books: [Book]
    /// The `Author` objects whose `friends` include this object.
    @Relationship(inverse: \.friends) var friends: Set<Author>
    /// The `Author` objects whose `pupils` include this object.
    @Relationship(inverse: \Author.pupils) var mentors: Set<Author>
    /// The `Passport` whose `owner` is this object.
    @Relationship(deleteRule: .cascade, inverse: \Passport.owner) var passport: Passport?
    /// The `Author` objects whose `mentors` include this object.
    @Relationship(inverse: \.mentors) var pupils: Set<Author>
    /// The `Author` whose `spouse` is this object.
    @Relationship(inverse: \.spouse) var spouse: Author?
}
