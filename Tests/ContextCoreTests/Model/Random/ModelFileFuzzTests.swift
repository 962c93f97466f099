import ContextCore
import Foundation
import RandomSeeds
import Testing

/// Randomly damaged model files: reading succeeds or reports an error, and never traps.
struct ModelFileFuzzTests {
    @Test(arguments: 0..<12)
    func `A damaged file is a model or a list of mistakes`(seed: UInt64) throws {
        let model = try ObjectModel(
            entities: RandomModel(seed: seed).entities, transformers: RandomModel.transformers)
        var damage = FileDamage(seed: seed)
        for round in 0..<40 {
            let bytes = damage.applied(to: Array(model.fileText.utf8))
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                try check(ObjectModel(fileText: text))
            } catch is ModelFileError {
            } catch {
                Issue.record("Seed \(seed), round \(round): \(error)")
            }
        }
    }

    @Test(arguments: 0..<6)
    func `A damaged file on disk is a model or a list of mistakes`(seed: UInt64) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).model.json")
        defer { try? FileManager.default.removeItem(at: file) }
        let model = try ObjectModel(
            entities: RandomModel(seed: seed).entities, transformers: RandomModel.transformers)
        var damage = FileDamage(seed: seed)
        for round in 0..<20 {
            try Data(damage.applied(to: Array(model.fileText.utf8))).write(to: file)
            do {
                try check(ObjectModel(contentsOf: file))
            } catch let error as ModelFileError {
                #expect(!error.problems.isEmpty)
            } catch {
                Issue.record("Seed \(seed), round \(round): \(error)")
            }
        }
    }

    /// Checks that a model that was read is equal after writing and reading it again.
    private func check(_ model: ObjectModel) throws {
        let text = model.fileText
        #expect(try ObjectModel(fileText: text).fileText == text)
    }
}
