import ContextCore
import RandomSeeds
import Testing

@testable import StoreAdmin

/// Changes between two imports, brought into a model that was edited.
struct ModelMergeTests {
    private func entities(_ text: String) throws -> JSONValue {
        JSONValue(try JSONDocument(#"{"format": 1, "entities": \#(text)}"#).root)
    }

    private func merge(_ base: String, _ edited: String, _ imported: String) throws -> ModelMerge {
        ModelMerge(base: try entities(base), edited: try entities(edited), imported: try entities(imported))
    }

    @Test func `Changes of both sides are kept, down to the settings of a property`() throws {
        let merge = try merge(
            #"{"A": {"attributes": {"x": {"type": "int32"}, "gone": {"type": "bool"}}}, "Old": {}}"#,
            #"{"A": {"attributes": {"x": {"type": "int32", "minimum": 0}, "gone": {"type": "bool"}}}, "Mine": {}, "Old": {}}"#,
            #"{"A": {"attributes": {"x": {"type": "int64"}, "new": {"type": "date"}}}, "B": {"abstract": true}}"#
        )
        #expect(
            merge.model
                == (try entities(
                    #"{"A": {"attributes": {"x": {"type": "int64", "minimum": 0}, "new": {"type": "date"}}}, "B": {"abstract": true}, "Mine": {}}"#
                )))
        #expect(
            merge.changes.map { "\($0.place): \($0.outcome)" } == [
                "A.gone: removed", "A.new: added", "A.x type: changed", "B: added", "Old: removed",
            ])
        #expect(!merge.hasConflicts)
    }

    @Test func `Where both sides change the same, the edited model wins, and the conflict is reported`()
        throws
    {
        let merge = try merge(
            #"{"A": {"attributes": {"x": {"type": "int32"}, "y": {"type": "bool"}}}, "B": {"abstract": false}}"#,
            #"{"A": {"attributes": {"x": {"type": "string"}}}, "B": {"abstract": false, "hashModifier": "2"}}"#,
            #"{"A": {"attributes": {"x": {"type": "int64"}, "y": {"type": "date"}}}}"#)
        #expect(
            merge.model
                == (try entities(
                    #"{"A": {"attributes": {"x": {"type": "string"}}}, "B": {"abstract": false, "hashModifier": "2"}}"#
                )))
        #expect(merge.changes.map(\.place) == ["A.x type", "A.y", "B"])
        #expect(merge.changes.allSatisfy { $0.outcome == .conflict } && merge.hasConflicts)
        #expect(merge.changes[0].edited == .string("string") && merge.changes[0].imported == .string("int64"))
        #expect(merge.changes[1].edited == nil && merge.changes[2].imported == nil)
    }

    @Test func `Indexes and unique constraints are merged as sets`() throws {
        let merge = try merge(
            #"{"A": {"unique": [["a"], ["b"]]}}"#, #"{"A": {"unique": [["b"], ["mine"], ["a"]]}}"#,
            #"{"A": {"indexes": [{"properties": ["c"]}], "unique": [["a"], ["theirs"]]}}"#)
        #expect(
            merge.model
                == (try entities(
                    #"{"A": {"indexes": [{"properties": ["c"]}], "unique": [["mine"], ["a"], ["theirs"]]}}"#))
        )
        #expect(
            merge.changes.map { "\($0.place): \($0.outcome)" } == [
                "A indexes: added", "A unique: added", "A unique: removed",
            ])
    }

    @Test func `All constraints of the tables are removed, and those of the edited model stay`() throws {
        let merge = try merge(
            #"{"A": {"unique": [["a"]]}}"#, #"{"A": {"unique": [["a"], ["mine"]]}}"#, #"{"A": {}}"#)
        #expect(merge.model == (try entities(#"{"A": {"unique": [["mine"]]}}"#)))
        #expect(!merge.hasConflicts)
    }

    /// If only one side has changes, the result is that side; if both have the same, there is nothing to report.
    @Test(arguments: 1...200)
    func `A side without changes adds nothing`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (base, other) = (document(&random), document(&random))
        let unchangedImport = ModelMerge(base: base, edited: other, imported: base)
        #expect(unchangedImport.model == other && unchangedImport.changes.isEmpty, "seed \(seed)")
        let unedited = ModelMerge(base: base, edited: base, imported: other)
        #expect(sorted(unedited.model) == sorted(other) && !unedited.hasConflicts, "seed \(seed)")
        #expect(unedited.changes.isEmpty == (base == other), "seed \(seed)")
        let same = ModelMerge(base: base, edited: other, imported: other)
        #expect(same.model == other && same.changes.isEmpty, "seed \(seed)")
    }

    /// Merging a second time changes nothing, as after a process that ended between its two files.
    @Test(arguments: 1...200)
    func `A merge can be repeated`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (base, edited, imported) = (document(&random), document(&random), document(&random))
        let first = ModelMerge(base: base, edited: edited, imported: imported)
        let second = ModelMerge(base: base, edited: first.model, imported: imported)
        #expect(sorted(second.model) == sorted(first.model), "seed \(seed)")
        #expect(second.changes.allSatisfy { $0.outcome == .conflict }, "seed \(seed)")
    }

    private func document(_ random: inout SeededRandom) -> JSONValue {
        func some(_ names: [String], _ value: () -> JSONValue) -> JSONValue {
            .object(
                Dictionary(
                    uniqueKeysWithValues: names.filter { _ in Bool.random(using: &random) }.map {
                        ($0, value())
                    }))
        }
        let types = ["bool", "int64", "string"].map(JSONValue.string)
        let entities = some(["A", "B", "C"]) {
            let properties = some(["x", "y"]) {
                some(["type", "default"]) { types.randomElement(using: &random) ?? .null }
            }
            let unique = ["x", "y", "z"].filter { _ in Bool.random(using: &random) }.map {
                JSONValue.array([.string($0)])
            }
            return .object(["attributes": properties, "unique": .array(unique)])
        }
        return .object(["format": .int(1), "entities": entities])
    }

    /// The value with the elements of its arrays in one order.
    private func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): .object(members.mapValues(sorted))
        case .array(let elements): .array(elements.sorted { $0.text < $1.text })
        default: value
        }
    }
}
