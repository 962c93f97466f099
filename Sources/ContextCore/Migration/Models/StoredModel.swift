/// One of the models that a store was made or migrated with.
public struct StoredModel: Sendable, Hashable {
    /// The number of the model in the store, from 1; the greatest is current.
    public let number: Int
    /// The fingerprint of the model.
    public let fingerprint: String
    /// The model as the text of a model file.
    public let fileText: String

    /// Creates a value.
    public init(number: Int, fingerprint: String, fileText: String) {
        self.number = number
        self.fingerprint = fingerprint
        self.fileText = fileText
    }
}
