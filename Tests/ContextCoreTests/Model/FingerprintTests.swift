import Foundation
import Testing

@testable import ContextCore

private final class Match: ManagedObject {
    override class var entityDescription: EntityDescription {
        EntityDescription(
            of: Match.self,
            properties: [
                .property("title", String.self, .unique, .length(1...80)),
                .property("startedAt", Date.self, default: .now),
                .property("players", Set<Rival>.self, inverse: "match", deleteRule: .cascade),
            ])
    }
}

private final class Rival: ManagedObject {
    override class var entityDescription: EntityDescription {
        EntityDescription(
            of: Rival.self,
            properties: [
                .property("name", String.self),
                .property("score", Int.self, default: 0),
                .property("match", Match?.self),
            ])
    }
}

struct FingerprintTests {
    private func built(_ change: (inout EntityDescription, inout EntityDescription) -> Void = { _, _ in })
        throws -> ObjectModel
    {
        var match = Entity("Match") {
            Relationship("players", toMany: "Rival", inverse: "match", deleteRule: .cascade)
            Attribute("startedAt", .date).default(.now)
            Attribute("title", .string).unique().length(1...80)
        }
        var rival = Entity("Rival") {
            Relationship("match", to: "Match")
            Attribute("score", .int64).default(0)
            Attribute("name", .string)
        }
        change(&match, &rival)
        return try ObjectModel(entities: [rival, match])
    }

    /// These values must not change: every existing store would need a migration.
    @Test func `The published fingerprints are unchanged`() throws {
        let model = try built()
        #expect(model.fingerprint == "9491399901b2f89c54f3d7b3782b56e9d646a1dd1c54730afe79de0301364577")
        #expect(
            model.layout(named: "Match")?.fingerprint
                == "14fa12ed2cee816e7bdd22ad51d4e73c922c7eae1d5cd71b6ffef53f9d6e66be")
    }

    @Test func `An entity's fingerprint is the digest of its shape on one line`() throws {
        let shape =
            #"{"attributes":{"name":{"type":"string"},"score":{"type":"int64"}},"#
            + #""relationships":{"match":{"inverse":"players","optional":true,"to":"Match"}}}"#
        #expect(try built().layout(named: "Rival")?.fingerprint == sha256(shape))
    }

    @Test func `Classes, declarations and files have the same fingerprints`() throws {
        let classes = try ObjectModel([Match.self, Rival.self])
        let built = try built()
        let read = try ObjectModel(fileText: built.fileText)
        #expect(classes.fingerprint == built.fingerprint)
        #expect(read.fingerprint == built.fingerprint)
        #expect(classes.layouts.map(\.fingerprint) == read.layouts.map(\.fingerprint))
        #expect(classes.fileText == built.fileText)
        #expect(read.fileText == built.fileText)
    }

    typealias Change = @Sendable (inout EntityDescription, inout EntityDescription) -> Void

    private static let persistentChanges: [(String, Change)] = [
        ("attribute's name", { $1.attributes[1].name = "nick" }),
        ("attribute's type", { $1.attributes[0].type = .int32 }),
        ("attribute's optionality", { $1.attributes[1].isOptional = true }),
        ("attribute's hash modifier", { $1.attributes[1].versionHashModifier = "2" }),
        ("external storage", { $1.attributes[1].externalThreshold = 1_000 }),
        ("precision", { $1.attributes[1].type = .decimal(precision: 9, scale: 2) }),
        (
            "derivation",
            { match, _ in
                match.attributes.append(
                    AttributeDescription("n", .int64, storage: .derived(.count(relationship: "players"))))
            }
        ),
        ("new attribute", { $1.attributes.append(AttributeDescription("x", .bool)) }),
        ("lost attribute", { $1.attributes.removeLast() }),
        ("relationship's optionality", { $1.relationships[0].isOptional = false }),
        ("relationship's order", { match, _ in match.relationships[0].isOrdered = true }),
        ("to-many", { $1.relationships[0].isToMany = true }),
        ("dangling references", { match, _ in match.relationships[0].deleteRule = .noAction }),
        ("relationship's hash modifier", { $1.relationships[0].versionHashModifier = "2" }),
        ("unique constraint", { match, _ in match.uniqueConstraints = [] }),
        ("index", { $1.indexes = [IndexDescription([.init("name")])] }),
        ("superentity", { $1.superentityName = "Match" }),
        ("abstract", { $1.isAbstract = true }),
        ("entity's hash modifier", { $1.versionHashModifier = "2" }),
    ]

    @Test func `Everything that stores depend on changes the fingerprint`() throws {
        var fingerprints: [String: String] = [try built().fingerprint: "no change"]
        for (what, change) in Self.persistentChanges {
            let other = fingerprints.updateValue(what, forKey: try built(change).fingerprint)
            #expect(other == nil, "\(what) and \(other ?? "") have one fingerprint.")
        }
    }

    @Test func `A change changes the fingerprint of its own entity only`() throws {
        let model = try built { $1.attributes[1].isOptional = true }
        #expect(try built().layout(named: "Match")?.fingerprint == model.layout(named: "Match")?.fingerprint)
        #expect(try built().layout(named: "Rival")?.fingerprint != model.layout(named: "Rival")?.fingerprint)
    }

    private static let otherChanges: [(String, Change)] = [
        ("default", { $1.attributes[0].defaultValue = nil }),
        ("rule", { $1.attributes[1].rules = [.length(minimum: 1, maximum: nil)] }),
        ("attribute's renaming identifier", { $1.attributes[1].renamingIdentifier = "old" }),
        ("relationship's renaming identifier", { $1.relationships[0].renamingIdentifier = "old" }),
        ("entity's renaming identifier", { $1.renamingIdentifier = "Old" }),
        (
            "transient attribute",
            { $1.attributes.append(AttributeDescription("x", .bool, storage: .transient)) }
        ),
        ("preservation", { $1.attributes[1].preservesValueOnDeletion = true }),
        ("delete rule", { match, _ in match.relationships[0].deleteRule = .deny }),
        ("counts", { match, _ in match.relationships[0].maximumCount = 9 }),
        ("order of attributes", { $1.attributes.reverse() }),
        (
            "side of the inverse",
            { match, rival in
                match.relationships[0].inverseName = nil
                rival.relationships[0].inverseName = "players"
            }
        ),
        ("class", { $1.objectClass = Rival.self }),
        ("repeated constraint", { match, _ in match.uniqueConstraints += match.uniqueConstraints }),
    ]

    @Test(arguments: otherChanges.indices)
    func `Everything that stores don't depend on leaves the fingerprint unchanged`(index: Int) throws {
        let (what, change) = Self.otherChanges[index]
        #expect(try built(change).fingerprint == built().fingerprint, "\(what)")
    }

    private func sha256(_ text: String) -> String { SHA256.hexDigest(of: text) }
}
