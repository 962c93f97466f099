import ContextCore

/// The Swift source of a transformer that passes stored values on, for the app's own code.
struct TransformerSource {
    let transformer: GeneratedTypes.Transformer
    let name: String
    /// The type of the stored values.
    let valueType: String

    var text: String {
        """
        /// The transformer of attributes that the model stores through \(SwiftText.literal(transformer.name)).
        ///
        /// The model contains only its name. This one passes the stored values on: replace the type of the value and both functions.
        struct \(name): AttributeTransformer {
            static let name = \(SwiftText.literal(transformer.name))
            static let storedType = AttributeType.\(storedType)
            static let placeholder = \(valueType).placeholder

            func storedValue(of value: \(valueType)) -> StoredValue { value.storedValue }

            func value(from stored: StoredValue) -> \(valueType) {
                \(valueType)(storedValue: stored) ?? Self.placeholder
            }
        }

        """
    }

    private var storedType: String {
        switch transformer.type {
        case .decimal(let precision, let scale): "decimal(precision: \(precision), scale: \(scale))"
        default: "\(transformer.type)"
        }
    }
}
