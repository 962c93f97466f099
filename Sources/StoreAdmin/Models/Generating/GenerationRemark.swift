/// A part of a model that the macros can't express, or that needs the app's own code.
struct GenerationRemark: Hashable {
    /// The entity or the property.
    let place: String
    /// A text that says what the source contains instead.
    let message: String
    /// Whether the fingerprint of the classes differs from that of the model.
    var changesFingerprint = false

    var sentence: String { "\(place): \(message)" }

    /// The remark as a comment in the source.
    var comment: String { "// " + message.prefix(1).uppercased() + message.dropFirst() }
}
