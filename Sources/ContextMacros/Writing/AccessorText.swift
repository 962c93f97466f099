import SwiftSyntax

/// Writes a property's accessors.
struct AccessorText {
    private let property: EntityProperty
    private let slot: String

    /// - Parameter slot: The expression for the property's place among its entity's properties.
    init(_ property: EntityProperty, slot: String) {
        self.property = property
        self.slot = slot
    }

    var accessors: [String] {
        property.isDerived ? [getter] : [getter, setter]
    }

    private var getter: String {
        if property.isCodable { return "    get { codableValue(at: \(slot)) }" }
        return "    get { value(at: \(slot)\(transformer)) }"
    }

    private var setter: String {
        if property.isCodable { return "    set { setCodableValue(newValue, at: \(slot)) }" }
        return "    set { setValue(newValue, at: \(slot)\(transformer)) }"
    }

    private var transformer: String {
        property.transformer.map { ", by: \($0)" } ?? ""
    }
}
