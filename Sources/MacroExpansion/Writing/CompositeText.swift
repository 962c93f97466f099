import SwiftSyntax

/// Writes the extension by which a struct is a `CompositeValue`.
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

    /// No part's name begins with an underscore, so `_parts` is nobody's.
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
    /// The name as an argument's label, where nearly every keyword goes without backticks.
    fileprivate var label: String {
        ["inout", "var", "let"].contains(name) ? identifier : name
    }
}
