/// The views of the page, with what they must show of a ``Club``.
enum StudioView: String, CaseIterable, Sendable, CustomStringConvertible {
    case objects, object, model, now, history, save, migrations, checks, sizes, changes

    var description: String { rawValue }

    /// The address of the view in the page.
    var place: String {
        switch self {
        case .objects: "#/objects/Player"
        case .object: "#/object/Game:1"
        case .save: "#/history/1"
        default: "#/\(rawValue)"
        }
    }

    /// Expressions that become true when the view shows the store.
    var contents: [String] {
        switch self {
        case .objects:
            [
                "column('name').length === 50", "column('name')[0] === 'Player 1'",
                "column('score')[49] === '49'",
                "column('game')[0] === 'Game:3Mill'", "main().includes('1–50 of 125')",
            ]
        case .object:
            [
                "all('#main h1', 'Go').length === 1", "main().includes('Game:1 · version 1')",
                "main().includes('1–10 of 122')", "all('#main .grid tbody tr').length === 10",
                "all('#main .side-column .save-link').length > 0",
            ]
        case .model:
            [
                "all('.diagram-box[data-entity=Game]').length === 1",
                "document.querySelector('.diagram-box[data-entity=Player]').textContent.includes('score')",
                "all('.diagram-line').length === 1",
            ]
        case .now:
            [
                "all('.live-state', 'live').length === 1", "all('.save-list.live .save-link').length > 0",
                "all('.facts dd').length > 0",
                "all('.plot-value').slice(0, 2).every((node) => /[0-9]/.test(node.textContent))",
            ]
        case .history:
            [
                "all('.save-number', '#1').length === 1",
                "all('.saves .chip', 'Game').length > 0",
            ]
        case .save:
            [
                "all('#main h1')[0].textContent.startsWith('Save 1')",
                "all('.change a', 'Game:1').length === 1",
            ]
        case .migrations:
            [
                "all('.version-number', 'V1').length === 1",
                "all('.versions .chip', 'in the store').length === 1",
                "main().includes('The store has the last version.')",
                "main().includes('The store was not migrated yet.')",
            ]
        case .checks:
            [
                "all('.findings li.good').length > 5",
                "main().includes('The tables match the model.')",
            ]
        case .sizes:
            [
                "all('#main td', 'Player').length > 0",
                "all('.facts dd').some((node) => /^(SQLite|PostgreSQL) [0-9]/.test(node.textContent))",
                "all('#main table.plain').length === 3 && all('#main table.plain').every((node) => node.rows.length > 1)",
            ]
        case .changes: ["main().includes('There are no pending changes.')"]
        }
    }
}
