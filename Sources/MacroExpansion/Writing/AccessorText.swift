import SwiftSyntax

/// Generates a property's accessors.
struct AccessorText {
    private let property: EntityProperty
    private let slot: String

    /// - Parameter slot: The expression for the property's slot in its entity.
    init(_ property: EntityProperty, slot: String) {
        self.property = property
        self.slot = slot
    }

    var accessors: [String] {
        property.isDerived ? [getter] : [getter, setter]
    }

    private var getter: String {
        "    get { \(property.isCodable ? "codableValue" : "value")(\(slotArguments)) }"
    }

    private var setter: String {
        "    set { \(property.isCodable ? "setCodableValue" : "setValue")(newValue, \(slotArguments)) }"
    }

    private var slotArguments: String {
        "at: \(slot)" + (property.transformer.map { ", by: \($0)" } ?? "")
    }
}
