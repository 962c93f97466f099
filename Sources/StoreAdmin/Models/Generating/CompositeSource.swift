import ContextCore

/// The Swift source of a composite's struct.
struct CompositeSource {
    let parts: [AttributeDescription]
    let name: String
    let types: GeneratedTypes

    /// The names that the conformance of a struct to `CompositeValue` reserves.
    private static let reservedNames: Set = ["init", "self", "storedValue", "Type"]

    /// Whether a struct with `@Composite` can have a part.
    static func canExpress(_ part: AttributeDescription) -> Bool {
        part.type != .codable && !reservedNames.contains(part.name) && !part.name.hasPrefix("_")
    }

    /// The declaration, and remarks about what it can't express.
    var source: (text: String, remarks: [GenerationRemark]) {
        var properties: [PropertySource] = []
        var remarks: [GenerationRemark] = []
        for part in parts {
            let place = "\(name).\(part.name)"
            guard Self.canExpress(part) else {
                let reason = part.type == .codable ? "be codable" : "have this name"
                let remark = GenerationRemark(
                    place: place,
                    message: "“\(part.name)” is missing: a part of a composite can't \(reason) in Swift.",
                    changesFingerprint: true)
                properties.append(PropertySource(comments: [remark.comment]))
                remarks.append(remark)
                continue
            }
            let source = AttributeSource(attribute: part, place: place, types: types).source
            properties.append(source.property)
            remarks += source.remarks
        }
        let head =
            "/// A value whose parts are stored in separate columns.\n@Composite struct \(SwiftText.name(name))"
        return (head + " {\n" + properties.map(\.text).joined() + "}\n", remarks)
    }
}
