import ContextCore
import Testing

/// A composite value without macros, as in the documentation of the protocol.
private struct Address: CompositeValue, Equatable {
    var street: String
    var city: String?

    static var partDescriptions: [PropertyDescription] {
        [.property("street", String.self, .length(1...)), .property("city", String?.self)]
    }
    static var placeholder: Address { Address(street: .placeholder, city: .placeholder) }
    var storedValue: StoredValue { .composite([city.storedValue, street.storedValue]) }

    init(street: String, city: String?) {
        self.street = street
        self.city = city
    }

    init?(storedValue: StoredValue) {
        guard case .composite(let parts) = storedValue, parts.count == 2,
            let city = String?(storedValue: parts[0]), let street = String(storedValue: parts[1])
        else { return nil }
        self.init(street: street, city: city)
    }
}

@Composite private struct Size {
    var width: Double
    var height: Double?
}

struct CompositeValueTests {
    @Test func `The parts are described in the order of their names`() {
        #expect(
            Address.attributeType
                == .composite([
                    AttributeDescription("city", .string, isOptional: true),
                    AttributeDescription("street", .string, rules: [.length(minimum: 1, maximum: nil)]),
                ]))
    }

    @Test func `A value is stored and read back`() {
        for address in [Address(street: "Via Roma", city: "Pisa"), Address(street: "", city: nil)] {
            #expect(Address(storedValue: address.storedValue) == address)
        }
        #expect(Address(storedValue: .composite([.null])) == nil)
        #expect(Address(storedValue: .string("")) == nil)
    }

    @Test func `The macro keeps the parts in the same order`() throws {
        let entity = EntityDescription(
            "House",
            attributes: [
                AttributeDescription(
                    "size", Size.attributeType, default: .value(Size(width: 2, height: 1).storedValue))
            ])
        let model = try ObjectModel(entities: [entity])
        #expect(model.layouts[0].columns.map(\.name) == ["size.height", "size.width"])
        #expect(Size(width: 2, height: 1).storedValue == .composite([.double(1), .double(2)]))
    }

    @Test func `An optional composite is a required struct or none`() {
        let property = PropertyDescription.property("home", Address?.self)
        guard case .attribute(let attribute) = property.kind else {
            Issue.record("A composite is an attribute.")
            return
        }
        #expect(attribute.isOptional)
        #expect(attribute.type == Address.attributeType)
    }
}
