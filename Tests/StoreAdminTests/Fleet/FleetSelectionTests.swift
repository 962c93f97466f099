import Testing

@testable import StoreAdmin

struct FleetSelectionTests {
    private let tenants = ["acme", "apple", "berta", "team-1", "team-2", "team-9"]

    @Test(
        arguments: [
            ([], nil, ["acme", "apple", "berta", "team-1", "team-2", "team-9"]),
            (["a*"], nil, ["acme", "apple"]), (["acme"], nil, ["acme"]),
            (["team-[1-3]", "acme"], nil, ["acme", "team-1", "team-2"]),
            (["team-?"], "team-2", ["team-2", "team-9"]),
            ([], "berta", ["berta", "team-1", "team-2", "team-9"]),
            ([], "b", ["berta", "team-1", "team-2", "team-9"]),
        ] as [([String], String?, [String])])
    func `Tenants are selected by patterns and by a start`(
        patterns: [String], first: String?, selected: [String]
    ) throws {
        #expect(try FleetSelection(patterns: patterns, first: first).selected(from: tenants) == selected)
    }

    @Test(
        arguments: [
            (["acm"], nil, "Did you mean acme?"), (["a*", "z*"], nil, "fleet list"),
            ([], "zeta", "fleet list"),
            (["acme"], "b", "fleet list"),
        ] as [([String], String?, String)])
    func `Requested tenants are never skipped silently`(patterns: [String], first: String?, hint: String) {
        let error = #expect(throws: AdminError.self) {
            try FleetSelection(patterns: patterns, first: first).selected(from: tenants)
        }
        #expect(error?.exit == .inputMissing)
        #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
    }

    @Test func `Without tenants none is selected, unless some are requested`() throws {
        #expect(try FleetSelection().selected(from: []) == [])
        #expect(throws: AdminError.self) { try FleetSelection(patterns: ["*"]).selected(from: []) }
    }
}
