import ContextCore
import Foundation

/// The model of the cases about values: one attribute of each type.
enum SampleModel {
    static let classes: [ManagedObject.Type] = [Sample.self]
    static let transformers: [any AttributeTransformer] = [Reversing()]
}

enum Level: String, CaseIterable, AttributeValue { case easy, hard }

enum Rank: Int, CaseIterable, AttributeValue {
    case low = -1
    case high = 7
}

struct Tags: Codable, Hashable, Sendable {
    var names: [String]
    var weights: [String: Double]
}

@Composite struct Address: Equatable {
    var street: String
    var city: String?
    var number: Int
}

/// A transformer that stores text as its reversed UTF-8 bytes.
struct Reversing: AttributeTransformer {
    static let name = "reversing"
    static let storedType = AttributeType.data
    static let placeholder = ""

    func storedValue(of text: String) throws -> StoredValue { .data(Data(text.utf8.reversed())) }

    func value(from stored: StoredValue) throws -> String {
        guard case .data(let bytes) = stored else { return "" }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }
}

@Entity final class Sample: ManagedObject {
    var label: String
    var flag: Bool?
    var small: Int16?
    var medium: Int32?
    var large: Int?
    var single: Float?
    var double: Double?
    @Attribute(.decimal(precision: 38, scale: 10)) var exact: Decimal?
    @Attribute(.decimal(precision: 38, scale: 0)) var whole: Decimal?
    @Attribute(.indexed) var text: String?
    @Attribute(.length(...2_000_000)) var bytes: Data?
    var moment: Date?
    var token: UUID?
    var link: URL?
    var level: Level?
    var rank: Rank?
    @Attribute(.codable) var tags: Tags?
    var address: Address = Address(street: "", city: nil, number: 0)
    @Attribute(.transformable(by: Reversing.self)) var secret: String = "secret"
}
