import Testing

@testable import ContextCore

struct SnakeCaseTests {
    @Test(arguments: [
        ("Game", "game"), ("startedAt", "started_at"), ("HTTPServer", "http_server"),
        ("playerIDs", "player_ids"),
        ("url", "url"), ("ID", "id"), ("line2Text", "line2_text"), ("already_snake", "already_snake"),
        ("isTVShow", "is_tv_show"),
    ])
    func `Names are converted to snake case`(name: String, expected: String) {
        #expect(SnakeCase.name(name) == expected)
    }
}
