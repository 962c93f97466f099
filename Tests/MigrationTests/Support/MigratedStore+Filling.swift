import ContextCore
import Foundation

extension MigratedStore {
    /// Adds an object of each entity, with links to others.
    func fill(_ model: ObjectModel, _ seed: UInt64) async throws {
        try await write(model) { context in
            for layout in model.layouts where !layout.isAbstract {
                for number in 0..<2 {
                    let object = try context.insert(layout.name)
                    for property in layout.properties {
                        guard let attribute = property.attribute, property.name.hasPrefix("u") == false else {
                            continue
                        }
                        try object.set(
                            property.name, toStored: Self.value(attribute.type, Int64(number) + Int64(seed)))
                    }
                }
            }
            for layout in model.layouts {
                for property in layout.properties {
                    guard let relationship = property.relationship, relationship.sourceIndex == layout.index
                    else { continue }
                    let targets = try context.all(model.layouts[relationship.destinationIndex].name).suffix(2)
                    guard let object = try context.all(layout.name).last, let target = targets.first else {
                        continue
                    }
                    if relationship.description.isToMany {
                        try object.set(
                            property.name, to: Array(Set(try object.objects(property.name) + targets)))
                    } else {
                        try object.set(property.name, to: target)
                    }
                }
            }
        }
    }

    private static func value(_ type: AttributeType, _ number: Int64) -> StoredValue {
        switch type {
        case .bool: .bool(number % 2 == 0)
        case .int16, .int32, .int64: .int(number)
        case .float, .double: .double(Double(number) + 0.5)
        case .decimal: .decimal(Decimal(number) + 0.25)
        case .string, .url, .codable: .string("v\(number)")
        case .data: .data(Data([UInt8(truncatingIfNeeded: number)]))
        case .date: .timestamp(microseconds: number)
        case .uuid, .composite: .null
        }
    }
}
