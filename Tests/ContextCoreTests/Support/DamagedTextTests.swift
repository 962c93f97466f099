import Foundation
import RandomSeeds
import Testing

@testable import ContextCore

/// Randomly damaged texts: reading succeeds or throws, and never traps.
///
/// Model files have `ModelFileFuzzTests`.
///
/// `STORE_DAMAGE_ROUNDS` is the number of rounds, and `STORE_DAMAGE_SEED` the first seed.
struct DamagedTextTests {
    /// A parser of texts of one kind.
    enum Reader: String, CaseIterable, Sendable {
        case predicate, condition, sortKey, path, identifier, url, keywords, manifest, configuration, json

        var samples: [String] {
            switch self {
            case .predicate, .condition:
                [
                    "score > 10 AND game.title == \"Go\"",
                    "name BEGINSWITH[cd] %@ OR NOT (score BETWEEN {1, 2.5})",
                    "ANY players.score IN {1, 2, 3}", "SUBQUERY(players, $p, $p.score > 1).@count > 0",
                    "players.@sum.score / 100 = 1e2", "name MATCHES \"(a|b){2,3}[^c]*\"", "name LIKE \"?a*\"",
                    "@count > 1", "startedAt < CAST(700000000, \"NSDate\")", "TRUEPREDICATE",
                ]
            case .sortKey:
                ["game.title DESC", "score", "name[cd] ASC", "players.@count descending nulls last"]
            case .path: ["game.title", "players.@sum.score", "address.street"]
            case .identifier:
                [
                    "contextcore://6F0C7D2A-2E1B-4C59-9D0E-7D1B4A3C2F10/Game/12",
                    "contextcore://6F0C7D2A-2E1B-4C59-9D0E-7D1B4A3C2F10/Game/t9223372036854775807",
                ]
            case .url:
                [
                    "postgres://app:s%40crt@db1:5432,[::1]:5433/games?schema=shop&timeout=250ms",
                    "sqlite:games.sqlite?mode=read",
                    "memory:", "postgresql://%2Fvar%2Frun/games",
                ]
            case .keywords:
                ["host=db1,::1 port=5433,5434 dbname=games user=app password='a\\'b' sslmode=require"]
            case .manifest:
                [
                    #"{"from": "V1", "to": "V2", "rename": {"Game.title": "name"}, "convert": {"Product.price": "cents / 100"}, "removed": ["Game.note"], "accept": {"Game.note": "nobody reads it"}, "operations": ["Fill"]}"#
                ]
            case .configuration:
                [
                    #"{"default": "prod", "stores": {"dev": "file:/data/dev", "prod": {"url": "server://app@db:5432/shop", "options": {"schema": "shop"}, "production": true, "password": {"env": "A"}}, }}"#,
                    #"{"stores": {"a": {"backend": "server", "host": "db", "port": 1, "database": "shop"}}} // that is all"#,
                ]
            case .json: [#"{"a": [true, false, null, -0.5e+3, "x\ud83d\ude00"], "b": {"c": 1e400}}"#]
            }
        }

        /// Reads a text, and writes the result again.
        func read(_ bytes: [UInt8], _ folder: ConfigurationFolder) throws {
            let text = String(decoding: bytes, as: UTF8.self)
            switch self {
            case .predicate: _ = try FetchPredicate(text, arguments: ["x"]).description
            case .condition:
                let predicate = try FetchPredicate(text, arguments: ["x"])
                _ = try FetchPredicate(predicate.description).description
            case .sortKey: _ = try SortKey(text)
            case .path: _ = PropertyPath(text).description
            case .identifier:
                if let id = ObjectID(uri: text) { #expect(ObjectID(uri: id.uri) == id) }
            case .url, .keywords: _ = try StoreURL(text).description
            case .manifest: _ = try MigrationManifest(fileText: text)
            case .configuration:
                try folder.write(text)
                let configuration = try StoreConfiguration.load(folder.environment(["A": "a"]))
                for name in configuration.storeNames {
                    _ = try configuration.store(name).url(among: [], folder.environment())
                }
            case .json: _ = try JSONDocument(Data(bytes))
            }
        }
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["STORE_DAMAGE_ROUNDS"].flatMap { UInt64($0) } ?? 200
    private static let seed = environment["STORE_DAMAGE_SEED"].flatMap { UInt64($0) } ?? 1

    @Test(arguments: Reader.allCases)
    func `A damaged text is read or rejected`(reader: Reader) throws {
        let folder = try ConfigurationFolder()
        for seed in Self.seed..<Self.seed + Self.rounds {
            var damage = FileDamage(seed: seed)
            for sample in reader.samples {
                let bytes = damage.applied(to: Array(sample.utf8))
                do {
                    try reader.read(bytes, folder)
                } catch is StoreError {
                } catch is PredicateSyntaxError {
                } catch is ModelFileError {
                } catch is JSONSyntaxError {
                } catch {
                    Issue.record("STORE_DAMAGE_SEED=\(seed): \(type(of: error)) \(error)")
                }
            }
        }
    }
}
