import ContextCore

/// An object of the entity `Data`.
@Entity(
    name: "Data",
    hashModifier: "a text that is so long that the attribute of the class does not fit on a line")
final class DataObject: ManagedObject {
    var address: DataAddress
    var blob: Data = Data(base64Encoded: "AQID") ?? .placeholder
    var `class`: String = #"a "quoted" \ text"#
    var createdAt: Date = .now
    var digits: Decimal? = Decimal(string: "12345678901234567890.123456789")
    var empty: Data = Data()
    @Attribute(.range(0.1...0.9)) var exact: Float = 0.1
    var home: URL = URL(string: "https://example.org/a?b=c") ?? .placeholder
    var homepage: URL? = URL(string: "https://example.org")
    var lines: String = "one\ntwo\tthree\u{200B}"
    @Attribute(.range(0...Double.infinity)) var ratio: Double = Double.infinity
    // The default is 2026-08-01T12:00:00.123456Z.
    var seenAt: Date = Date(microseconds: 1_785_585_600_123_456)
    var small: Decimal = 0.07
    var token: UUID? = UUID(uuidString: "0F5B8F5E-7F0C-4B5E-9D4B-0C5F5E5B5E5B")
    var tokenOfTheAdministratorOfTheStore: UUID =
        UUID(uuidString: "0F5B8F5E-7F0C-4B5E-9D4B-0C5F5E5B5E5B") ?? .placeholder
    /// The time of the last save.
    @Derived(.now) var updatedAt: Date
}
