/// The product, size and settings of a database.
public struct StoreFacts: Sendable, Hashable {
    /// A setting of the database, in the database's terms.
    public struct Setting: Sendable, Hashable {
        /// The name of the setting.
        public let name: String
        /// The value of the setting.
        public let value: String

        /// Creates a setting.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The database's product, such as `SQLite`.
    public var product: String
    /// The product's version.
    public var version: String
    /// The size of the database in bytes, including logs; nil if it is unknown.
    public var bytes: Int64?
    /// The most important settings for an administrator.
    public var settings: [Setting]

    /// Creates a description.
    public init(product: String, version: String, bytes: Int64?, settings: [Setting]) {
        self.product = product
        self.version = version
        self.bytes = bytes
        self.settings = settings
    }
}
