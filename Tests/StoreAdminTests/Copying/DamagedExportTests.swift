import ContextCore
import Foundation
import RandomSeeds
import Testing

@testable import StoreAdmin

/// A randomly damaged export: reading succeeds or reports an error, and never traps.
struct DamagedExportTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["STORE_DAMAGE_ROUNDS"].flatMap { UInt64($0) } ?? 200
    private static let seed = environment["STORE_DAMAGE_SEED"].flatMap { UInt64($0) } ?? 1

    @Test func `A damaged export is read or rejected`() {
        for seed in Self.seed..<Self.seed + Self.rounds {
            var damage = FileDamage(seed: seed)
            let text = String(decoding: damage.applied(to: Array(ShopExport.text.utf8)), as: UTF8.self)
            do {
                var reader = try ExportReader(text, name: "shop.jsonl")
                _ = try reader.changes()
            } catch is AdminError {
            } catch is StoreError {
            } catch is ModelFileError {
            } catch {
                Issue.record("STORE_DAMAGE_SEED=\(seed): \(type(of: error)) \(error)")
            }
        }
    }
}
