import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import SQLStore

/// Encoded history records: valid ones are decoded again, and invalid ones are errors.
struct HistoryDecoderTests {
    private let shop: ShopModel

    init() throws { shop = try ShopModel() }

    private func line(of entity: EntityMapping) -> [UInt8] {
        var encoder = HistoryEncoder()
        encoder.append(.insert, entity: entity.number, keys: [1, 2, 3, 9])
        encoder.append(.update, entity: entity.number, properties: ["name", "orders"], keys: [2, 20])
        encoder.append(
            tombstone: [
                "name": .string("Ann"), "place": .composite([.int(-1), .null]), "price": .decimal(1.25),
                "token": .uuid(UUID()), "data": .data(Data([1])), "at": .timestamp(microseconds: -5),
                "weight": .double(0.5), "isOpen": .bool(true),
            ], entity: entity.number, key: 30)
        return encoder.bytes(by: .current)
    }

    @Test func `The first and the last key are decoded`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var encoder = HistoryEncoder()
        encoder.append(.insert, entity: tag.number, keys: [.min, .max - 1, .max])
        var decoder = HistoryDecoder(shop.mapping)
        #expect(try decoder.changes(encoder.bytes).map(\.key) == [.min, .max - 1, .max])
    }

    @Test func `A record has the process that wrote it, unless it is from an older version`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var encoder = HistoryEncoder()
        encoder.append(.insert, entity: tag.number, keys: [7])
        let process = HistoryProcess(name: "büro", identifier: .max)
        var decoder = HistoryDecoder(shop.mapping)
        #expect(try decoder.changes(encoder.bytes(by: process)).map(\.key) == [7])
        #expect(decoder.process == process)
        #expect(try decoder.changes(encoder.bytes).map(\.key) == [7])
        #expect(decoder.process == nil)
    }

    @Test func `A record with an implausible number of rows is an error`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var encoder = HistoryEncoder()
        encoder.append(.insert, entity: tag.number, keys: [1, 2, 3, 7])
        var generous = HistoryDecoder(shop.mapping, maximumUncountedRows: 4)
        #expect(try generous.changes(encoder.bytes).count == 4)
        var strict = HistoryDecoder(shop.mapping, maximumUncountedRows: 3)
        #expect(throws: StoreError.self) { try strict.changes(encoder.bytes) }
    }

    @Test func `A record with more rows than usual has their number, and others stay short`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        let process = HistoryProcess(name: "p", identifier: 1)
        var encoder = HistoryEncoder()
        encoder.append(.update, entity: tag.number, properties: ["label"], keys: [1, 2, 3, 7])
        let plain = encoder.bytes(by: process, includingCountAbove: 4)
        #expect(plain == encoder.bytes(by: process))
        let announced = encoder.bytes(by: process, includingCountAbove: 3)
        #expect(announced.count == plain.count + 2)
        var decoder = HistoryDecoder(shop.mapping, maximumUncountedRows: 3)
        #expect(throws: StoreError.self) { try decoder.changes(plain) }
        #expect(try decoder.changes(announced).map(\.key) == [1, 2, 3, 7])
        #expect(decoder.process == process)
        // The announced bytes must exist before any row is created.
        for odd: UInt8 in [3, 5] {
            var bytes = announced
            let place = try #require(bytes.firstIndex(of: 6))
            bytes[place + 1] = odd
            #expect(throws: StoreError.self) { try decoder.changes(bytes) }
        }
    }

    @Test func `Batches with more rows than usual are decoded`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var encoder = HistoryEncoder()
        // No entity of the model has the number, so the rows are counted and not stored.
        encoder.append(
            .update, entity: tag.number + 1000, keys: Array(1...Int64(HistoryChange.uncountedRowLimit) + 1))
        encoder.append(.insert, entity: tag.number, keys: [5])
        var decoder = HistoryDecoder(shop.mapping)
        #expect(try decoder.changes(encoder.bytes(by: .current)).map(\.key) == [5])
    }

    @Test func `An announced number of rows beyond the limit is rejected before any is made`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        for rows in [1 << 40, HistoryChange.maximumRows + 1, Int.max] {
            var writer = ByteWriter()
            writer.write(HistoryChange.rowsByte)
            writer.write(number: UInt64(rows))
            for byte in [2, UInt8(tag.number), 0, 1] { writer.write(byte) }
            writer.write(signed: 1)
            writer.write(number: UInt64(rows))
            var decoder = HistoryDecoder(shop.mapping)
            let error = #expect(throws: StoreError.self) { try decoder.changes(writer.bytes) }
            #expect(error?.code == .corrupt)
        }
        // Announced runs that are missing, repeated or late.
        let run: [UInt8] = [2, UInt8(tag.number), 0, 1, 2, 3]
        for bytes: [UInt8] in [[6, 4] + run, [6, 3, 6, 3] + run, run + [6, 3] + run, [6, 2] + run] {
            var decoder = HistoryDecoder(shop.mapping)
            let error = #expect(throws: StoreError.self) { try decoder.changes(bytes) }
            #expect(error?.code == .corrupt)
        }
        var decoder = HistoryDecoder(shop.mapping)
        #expect(try decoder.changes([6, 3] + run).map(\.key) == [1, 2, 3])
    }

    @Test func `A save with too many rows for a record is rejected`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var encoder = HistoryEncoder()
        encoder.append(.insert, entity: tag.number, keys: [1, 2, 3, 7])
        try encoder.checkRows(limit: 4)
        let error = #expect(throws: StoreError.self) { try encoder.checkRows(limit: 3) }
        #expect(error?.code == .unsupportedRequest)
        #expect(
            error?.message == "The batch would change 4 rows, and one save can change at most 3.")
    }

    /// The rows of runs one by one: an insertion or a deletion stays one, and updates are combined.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `Runs with common rows are decoded like separate rows`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let names = ["Tag", "Customer"].compactMap { try? shop.entity($0).index }
        var encoder = HistoryEncoder()
        var wanted: [[Int64]: HistoryChange] = [:]
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let entity = shop.mapping.entities[try #require(names.randomElement(using: &random))]
            let kind = try #require(
                [HistoryChange.Kind.insert, .update, .update, .delete].randomElement(using: &random))
            let changed = [["a"], ["b"], ["a", "c"]].randomElement(using: &random) ?? []
            let properties = kind == .update ? changed : []
            var keys = [Int64.random(in: 0...60, using: &random)]
            for _ in 0..<Int.random(in: 0...7, using: &random) {
                keys.append(keys[keys.count - 1] + Int64.random(in: 1...3, using: &random))
            }
            encoder.append(kind, entity: entity.number, properties: properties, keys: keys)
            for key in keys {
                let row = [Int64(entity.layout.index), key]
                var change = HistoryChange(
                    kind: kind, entityIndex: entity.layout.index, key: key, changedProperties: properties)
                if kind == .update, let known = wanted[row] {
                    if known.kind != .update { continue }
                    change.changedProperties = Set(known.changedProperties).union(properties).sorted()
                }
                wanted[row] = change
            }
        }
        var decoder = HistoryDecoder(shop.mapping)
        let rows = try decoder.changes(encoder.bytes(by: .current, includingCountAbove: 3))
        #expect(rows == wanted.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `Damaged numbers of rows and of runs are errors at worst, found quickly`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        for round in 0..<500 {
            var writer = ByteWriter()
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    writer.write(HistoryChange.rowsByte)
                    writer.write(number: 1 << UInt64.random(in: 29..<64, using: &random))
                case 1: writer.write(UInt8.random(in: 0...6, using: &random))
                default:
                    for byte in [2, UInt8(tag.number), 0, 1] { writer.write(byte) }
                    writer.write(signed: Int64.random(in: .min ... .max, using: &random))
                    writer.write(number: 1 << UInt64.random(in: 0..<64, using: &random))
                }
            }
            var decoder = HistoryDecoder(shop.mapping, maximumUncountedRows: 10_000)
            do {
                #expect(try decoder.changes(writer.bytes).count <= 10_000, "seed \(seed), round \(round)")
            } catch {
                #expect(error.code == .corrupt, "seed \(seed), round \(round)")
            }
        }
    }

    @Test func `Nested composites are rejected at any depth`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var bytes: [UInt8] = [4, UInt8(tag.number), 0, 1, 1, 65]
        for _ in 0..<200_000 { bytes += [10, 1] }
        var decoder = HistoryDecoder(shop.mapping)
        let error = #expect(throws: StoreError.self) { try decoder.changes(bytes) }
        #expect(error?.code == .corrupt)
    }

    @Test func `A damaged record is an error at worst`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let sound = line(of: shop.mapping.entities[try shop.entity("Tag").index])
        var decoder = HistoryDecoder(shop.mapping, maximumUncountedRows: 10_000)
        #expect(try decoder.changes(sound).count == 6)
        for round in 0..<20_000 {
            var bytes = sound
            for _ in 0...random(3) { bytes[random(bytes.count)] = UInt8(random(256)) }
            if random(4) == 0 { bytes = Array(bytes.prefix(random(bytes.count))) }
            do {
                _ = try decoder.changes(bytes)
            } catch {
                #expect(error.code == .corrupt, "seed \(seed), round \(round)")
            }
        }
    }
}
