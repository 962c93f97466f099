import Foundation
import Testing

@testable import ContextCore

/// A type without an attribute type.
private struct Colour: Equatable, Sendable {
    var red: UInt8
}

private struct ColourTransformer: AttributeTransformer {
    struct Refusal: Error {}

    static let name = "colour"
    static let storedType = AttributeType.int16
    static let placeholder = Colour(red: 0)

    func storedValue(of value: Colour) throws -> StoredValue {
        if value.red == 255 { throw Refusal() }
        return .int(Int64(value.red))
    }

    func value(from stored: StoredValue) throws -> Colour {
        guard case .int(let red) = stored, let red = UInt8(exactly: red) else { throw Refusal() }
        return Colour(red: red)
    }
}

@Entity private final class Brush: ManagedObject {
    @Attribute(.transformable(by: ColourTransformer.self)) var colour: Colour
    @Attribute(.transformable(by: ColourTransformer.self)) var edge: Colour?
}

struct AttributeTransformerTests {
    private func brush() throws -> (Brush, ObjectContext) {
        let model = try ObjectModel([Brush.self], transformers: [ColourTransformer()])
        let context = ObjectContext(model: model, parent: ProbeParent())
        return (Brush(in: context, colour: Colour(red: 3)), context)
    }

    @Test func `A property reads and writes through its transformer, which makes the stored value`() throws {
        let (brush, context) = try brush()
        defer { withExtendedLifetime(context) {} }
        #expect(brush.colour == Colour(red: 3))
        #expect(brush.edge == nil)
        #expect(try brush["colour"] == .int(3))
        brush.edge = Colour(red: 4)
        #expect(brush.edge == Colour(red: 4))
        #expect(try brush["edge"] == .int(4))
        brush.edge = nil
        #expect(try brush["edge"] == .null)
    }

    @Test func `A value that can't be transformed leaves the attribute unchanged and throws later`() throws {
        let (brush, context) = try brush()
        brush.colour = Colour(red: 255)
        #expect(brush.colour == Colour(red: 3))
        #expect(throws: ColourTransformer.Refusal.self) { try context.graph.throwDeferredError() }
    }

    @Test func `A stored value that can't be transformed back reads as the placeholder and throws later`()
        throws
    {
        let (brush, context) = try brush()
        try brush.set("colour", toStored: .int(300))
        #expect(brush.colour == ColourTransformer.placeholder)
        #expect(throws: ColourTransformer.Refusal.self) { try context.graph.throwDeferredError() }
    }

    @Test func `Key paths find the property`() {
        #expect(KeyPathProbe.names(of: \Brush.colour) == ["colour"])
        #expect(KeyPathProbe.names(of: \Brush.edge) == ["edge"])
    }
}
