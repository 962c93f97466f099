import Foundation
import Synchronization
import Testing

@testable import ContextCore

private enum Outline: Codable, Equatable { case circle(Double), square(side: Double) }
private enum Pigment: String, Codable { case red }
private enum Extent: String, Codable, CaseIterable { case small, large }
private struct Tint: Codable { var colour: Pigment }
private struct Spot: Codable { var x = 0.0, size: Extent, name: String, near: [Pigment], other: Pigment? }

@Entity private final class Fresco: ManagedObject {
    @Attribute(.codable) var shape: Outline
    @Attribute(.codable) var pair: Tint
    @Attribute(.codable) var usual: Outline = .circle(1)
    @Attribute(.codable) var maybe: Outline?
    @Attribute(.codable) var point: Spot
    @Attribute(.codable) var size: Extent
}

@Entity private final class Etching: ManagedObject {
    @Attribute(.codable) var shape: Outline = .circle(1)
    @Attribute(.codable) var maybe: Outline?
    @Attribute(.codable) var point: Spot
    @Attribute(.codable) var text: String?
    @Attribute(.codable) var colours: [Pigment]
}

/// A sequence of unique numbers.
private enum VoucherNumbers {
    private static let count = Atomic<Int>(0)
    static func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

@Entity private final class Voucher: ManagedObject {
    var number: Int = VoucherNumbers.next()
    var other: Int = 3
    var token: UUID = UUID()
    var soldAt: Date = .now
}

struct ConstantDefaultTests {
    private func problems(_ types: ManagedObject.Type...) -> [String] {
        do {
            _ = try ObjectModel(types)
            return []
        } catch let error as ModelError {
            return error.problems.map { "\($0.property ?? ""): \($0.code)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `A property that would have no value before it is set needs a default`() throws {
        #expect(problems(Fresco.self) == ["pair: missingDefault", "shape: missingDefault"])
        #expect(problems(Etching.self) == [])
    }

    @Test func `A property that isn't set yet has its default, nil, or an empty value`() throws {
        let coordinator = InMemoryCoordinator(model: try ObjectModel([Etching.self]))
        let context = ObjectContext(model: coordinator.model, parent: try CountingParent(coordinator))
        let sketch = Etching(insertingInto: context)
        #expect(sketch.shape == .circle(1))
        #expect(sketch.maybe == nil && sketch.text == nil && sketch.colours == [])
        #expect(sketch.point.size == .small && sketch.point.near.isEmpty && sketch.point.other == nil)
    }

    @Test func `A default that differs between calls is a mistake of the model`() {
        #expect(problems(Voucher.self) == ["number: varyingDefault"])
    }

    @Test(arguments: [InitialValue<Date>.now, .constant(.distantPast)])
    func `The current time or a new UUID is no default of JSON`(_ initial: InitialValue<Date>) {
        let property = PropertyDescription.codable("at", Date.self, default: initial)
        var entity = EntityDescription("Event")
        entity.add(property)
        let isMoment = property == .codable("at", Date.self, default: .now)
        #expect(ModelCheckingTests.problems([entity]).isEmpty == !isMoment)
    }
}
