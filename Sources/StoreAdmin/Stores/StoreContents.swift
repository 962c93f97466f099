import ContextCore

/// The contents of a store: its identifier, its last save, and the number of objects of each entity.
struct StoreContents: Sendable {
    let storeID: String
    let lastSave: Int64
    let lastDate: String?
    let counts: [(name: String, count: Int)]
    /// The unfinished copy, import, or sample; nil if the store is complete.
    private(set) var unfinished: UnfinishedTransfer?
    /// What to do about the unfinished command; empty if there is none.
    private(set) var remedy = ""

    /// Counts the objects of a store.
    ///
    /// - Throws: `StoreError.Code.migrationUnfinished` while a migration blocks other programs.
    init(of store: AdministeredStore) throws {
        let model = try store.model()
        self = try store.read("status", model: model, StoreContents.init)
        let info = try store.userInfo(model: model)
        unfinished = UnfinishedTransfer(userInfo: info)
        remedy = unfinished?.remedy(userInfo: info) ?? ""
    }

    private init(_ session: any ReadSession, _ model: ObjectModel) throws {
        storeID = session.token.storeID.uuidString
        counts = try model.layouts.filter { !$0.isAbstract }.map { layout in
            (name: layout.name, count: try session.count(of: layout, includesSubentities: false))
        }
        lastSave = session.token.sequence
        let request = HistoryRequest(
            after: StoreToken(storeID: session.token.storeID, sequence: max(0, lastSave - 1)))
        // The store may have no history, or its last save may be pruned.
        let date = (try? session.history(request))?.last?.date
        lastDate = date.map { CivilTime(date: $0).text }
    }

    /// The number of all objects.
    var total: Int { counts.reduce(0) { $0 + $1.count } }

    /// The number and the date of the last save: `12 at 2026-08-01T12:00:00Z`.
    var lastSaveText: String {
        lastSave == 0 ? "none yet" : "\(lastSave)" + (lastDate.map { " at \($0)" } ?? "")
    }

    /// The number of objects of each entity, the largest first.
    var largestFirst: [(name: String, count: Int)] {
        counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}
