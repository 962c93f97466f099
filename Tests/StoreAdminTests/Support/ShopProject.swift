import ContextCore
import Testing

@testable import StoreAdmin

/// Versions of the model of ``ShopExport``.
enum ShopVersions {
    static let first = ShopExport.model
    /// A version with an additional attribute.
    static let second = first.replacing(
        #""label":{"type""#, with: #""more":{"optional":true,"type":"string"},"label":{"type""#)
    /// A version without an attribute, whose values are lost.
    static let third = second.replacing(#""ratio":{"optional":true,"type":"double"},"#, with: "")
}

extension AdminBench {
    /// Creates a store of V1, under the name `shop`, and freezes V1 and V2.
    func makeProject(_ place: TestPlace) throws {
        variables["SHOP"] = try makeShop(place)
        variables["STORECTL_URL"] = nil
        try write(#"{"stores": {"shop": {"url": {"env": "SHOP"}}}}"#, to: "storectl.json")
        try freeze("V1", ShopVersions.first)
        try freeze("V2", ShopVersions.second, after: "V1")
    }

    /// Freezes a model, and writes the manifest of the migration from the version before; losses are accepted.
    func freeze(_ name: String, _ model: String, after older: String? = nil, losing lost: String? = nil)
        throws
    {
        try write(model, to: "\(name).json")
        let outcome = run("model", "freeze", name, "--model", "\(name).json")
        try #require(outcome.exit == .success, "\(outcome.problems)")
        guard let older else { return }
        let words = lost.map { ["--removed", $0, "--accept", "\($0)=Nobody read it."] } ?? []
        let new = run(["migrate", "new", older, name] + words)
        try #require(new.exit == .success, "\(new.problems)")
    }
}
