import Foundation

/// A package manifest made of a part that a document shows, and its evaluation by the package manager.
struct DocumentedManifest: Sendable, CustomStringConvertible {
    let description: String
    private let dependency: String
    private let targets: String

    /// Makes the manifests of all documents: one per dependency, since those of a block are alternatives, and one per block of targets.
    static func all() throws -> [DocumentedManifest] {
        let usual = #".package(name: "ContextCore", path: "../ContextCore")"#
        return try DocumentationPackage.documents().flatMap { document -> [DocumentedManifest] in
            try DocumentationPackage.blocks(of: document).filter { !$0.isBorrowed }.flatMap {
                block -> [DocumentedManifest] in
                let place = "\(document):\(block.line)"
                switch block.manifestPart {
                case "dependencies":
                    return block.code.split(separator: "\n").map {
                        DocumentedManifest(description: "\(place) \($0)", dependency: String($0), targets: "")
                    }
                case "targets":
                    return [DocumentedManifest(description: place, dependency: usual, targets: block.code)]
                default: return []
                }
            }
        }
    }

    /// The traits of the dependency.
    var traits: Set<String> {
        guard let list = dependency.firstRange(of: "traits: [") else { return [] }
        let names = dependency[list.upperBound...].prefix { $0 != "]" }
        return Set(names.split(separator: "\"").map(String.init).filter { $0.first?.isLetter == true })
    }

    /// What the package manager makes of a manifest.
    struct Dump: Decodable {
        struct Target: Decodable {
            struct Dependency: Decodable {
                /// The product and its package; nil for a target.
                let product: [String?]?

                private enum CodingKeys: CodingKey { case product }

                init(from decoder: any Decoder) throws {
                    let container = try decoder.container(keyedBy: CodingKeys.self)
                    guard container.contains(.product) else {
                        product = nil
                        return
                    }
                    var values = try container.nestedUnkeyedContainer(forKey: .product)
                    product = [try values.decode(String.self), try values.decode(String.self)]
                }
            }

            let name: String
            let dependencies: [Dependency]
        }

        let targets: [Target]

        /// Lets the package manager read a manifest.
        init(of manifest: String, at place: String) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try manifest.write(
                to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
            let result = try await Subprocess.run(
                "swift", ["package", "--package-path", folder.path, "dump-package"])
            guard result.status == 0 else { throw DocumentationError("\(place): \(result.output)") }
            let json = result.output.drop { $0 != "{" }
            self = try JSONDecoder().decode(Dump.self, from: Data(json.utf8))
        }

        /// The products that the targets use, with their package: `ContextCore.StoreAdmin`.
        var products: Set<String> {
            Set(
                targets.flatMap(\.dependencies).compactMap(\.product).map { product in
                    product.reversed().compactMap(\.self).joined(separator: ".")
                })
        }
    }

    /// Evaluates the manifest with the package manager.
    ///
    /// - Returns: The products that its targets use, with their package: `ContextCore.StoreAdmin`.
    func products() async throws -> Set<String> {
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "Chess",
                dependencies: [
            \(dependency)
                ],
                targets: [
            \(targets)
                ]
            )
            """
        return try await Dump(of: manifest, at: description).products
    }
}
