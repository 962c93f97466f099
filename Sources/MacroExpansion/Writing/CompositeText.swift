import SwiftSyntax

/// Generates the extension that conforms a struct to `CompositeValue`.
struct CompositeText {
    private let composite: CompositeStruct
    private let typeName: String
    private let access: String

    init(_ declaration: StructDeclSyntax, named typeName: String, access: AccessLevel) {
        composite = CompositeStruct(declaration)
        self.typeName = typeName
        self.access = access.memberModifier
    }

    var text: String {
        """
        extension \(typeName): CompositeValue {
            \(access)static var partDescriptions: [PropertyDescription] {
                [
                    \(composite.parts.map { PropertyText($0).text + "," }.joined(separator: "\n            "))
                ]
            }
            \(access)static var placeholder: \(typeName) {
                \(typeName)(\(list { "\($0.label): .placeholder" }))
            }
            \(access)var storedValue: StoredValue {
                .composite([\(storedParts)])
            }
            \(access)init?(storedValue: StoredValue) {
                guard case .composite(let _parts) = storedValue, _parts.count == \(composite.parts.count),
                    \(decoding)
                else { return nil }
                self.init(\(list { "\($0.label): \($0.identifier)" }))
            }
        }
        """
    }

    private var storedParts: String {
        composite.sortedParts.map { "\($0.identifier).storedValue" }.joined(separator: ", ")
    }

    /// The statements that decode the parts.
    ///
    /// The name `_parts` can't clash, because no part's name starts with an underscore.
    private var decoding: String {
        composite.sortedParts.enumerated().map { index, part in
            "let \(part.identifier) = \(part.type.text)(storedValue: _parts[\(index)])"
        }.joined(separator: ",\n            ")
    }

    private func list(_ text: (EntityProperty) -> String) -> String {
        composite.parts.map(text).joined(separator: ", ")
    }
}

extension EntityProperty {
    /// The name as an argument label, where most keywords need no backticks.
    fileprivate var label: String {
        ["inout", "var", "let"].contains(name) ? identifier : name
    }
}
