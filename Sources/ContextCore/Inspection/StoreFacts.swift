/// Says what a database is, how large it is, and how it is set.
public struct StoreFacts: Sendable, Hashable {
    /// A setting, in the database's own words.
    public struct Setting: Sendable, Hashable {
        /// What it is called.
        public let name: String
        /// What it is set to.
        public let value: String

        /// Names a setting.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The database's product, such as `SQLite`.
    public var product: String
    /// The product's version.
    public var version: String
    /// How many bytes the database takes, logs included; nil where that can't be told.
    public var bytes: Int64?
    /// The settings that an administrator looks at first.
    public var settings: [Setting]

    /// Describes a database.
    public init(product: String, version: String, bytes: Int64?, settings: [Setting]) {
        self.product = product
        self.version = version
        self.bytes = bytes
        self.settings = settings
    }
}
