import ContextCore
import Foundation
import Testing

@testable import SQLStore

/// Lines of the history: what is packed comes back, and what nobody packed is an error.
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

    @Test func `The first and the last of all keys come back`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var encoder = HistoryEncoder()
        encoder.append(.insert, entity: tag.number, keys: [.min, .max - 1, .max])
        var decoder = HistoryDecoder(shop.mapping)
        #expect(try decoder.changes(encoder.bytes).map(\.key) == [.min, .max - 1, .max])
    }

    @Test func `A line says which process has written it, unless it is older than that`() throws {
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

    @Test func `A line that names more rows than are believed is an error`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var encoder = HistoryEncoder()
        encoder.append(.insert, entity: tag.number, keys: [1, 2, 3, 7])
        var generous = HistoryDecoder(shop.mapping, longestLine: 4)
        #expect(try generous.changes(encoder.bytes).count == 4)
        var strict = HistoryDecoder(shop.mapping, longestLine: 3)
        #expect(throws: StoreError.self) { try strict.changes(encoder.bytes) }
    }

    @Test func `A record of more rows than usual says how many there are, and any other is as short as ever`()
        throws
    {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        let process = HistoryProcess(name: "p", identifier: 1)
        var encoder = HistoryEncoder()
        encoder.append(.update, entity: tag.number, properties: ["label"], keys: [1, 2, 3, 7])
        let plain = encoder.bytes(by: process, announcedAbove: 4)
        #expect(plain == encoder.bytes(by: process))
        let announced = encoder.bytes(by: process, announcedAbove: 3)
        #expect(announced.count == plain.count + 2)
        var decoder = HistoryDecoder(shop.mapping, longestLine: 3)
        #expect(throws: StoreError.self) { try decoder.changes(plain) }
        #expect(try decoder.changes(announced).map(\.key) == [1, 2, 3, 7])
        #expect(decoder.process == process)
        // What is announced must be there, before any row is made.
        for odd: UInt8 in [3, 5] {
            var bytes = announced
            let place = try #require(bytes.firstIndex(of: 6))
            bytes[place + 1] = odd
            #expect(throws: StoreError.self) { try decoder.changes(bytes) }
        }
    }

    @Test func `Batches of more rows than a record usually names are read again`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var encoder = HistoryEncoder()
        // No entity of the model has the number, so that the rows are counted and not kept.
        encoder.append(
            .update, entity: tag.number + 1000, keys: Array(1...Int64(HistoryChange.usualRows) + 1))
        encoder.append(.insert, entity: tag.number, keys: [5])
        var decoder = HistoryDecoder(shop.mapping)
        #expect(try decoder.changes(encoder.bytes(by: .current)).map(\.key) == [5])
    }

    @Test func `Composites within composites are refused, however deep`() throws {
        let tag = shop.mapping.entities[try shop.entity("Tag").index]
        var bytes: [UInt8] = [4, UInt8(tag.number), 0, 1, 1, 65]
        for _ in 0..<200_000 { bytes += [10, 1] }
        var decoder = HistoryDecoder(shop.mapping)
        let error = #expect(throws: StoreError.self) { try decoder.changes(bytes) }
        #expect(error?.code == .corrupt)
    }

    @Test func `A damaged line is an error at worst`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let sound = line(of: shop.mapping.entities[try shop.entity("Tag").index])
        var decoder = HistoryDecoder(shop.mapping, longestLine: 10_000)
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
