import ContextCore

/// A report on a store, for people without access to it: what it is, what it contains, and what needs attention.
///
/// A part that fails, for example because the role lacks a privilege, shows its error, and the others are made.
struct StoreReport: Sendable {
    let store: AdministeredStore
    let facts: StoreFacts
    let models: [StoredModel]
    /// The contents; nil if they can't be read.
    let contents: StoreContents?
    let migrations: MigrationSummary
    let sections: [ReportSection]

    /// - Parameter isQuick: Whether to leave out the check of every object, which reads the whole store.
    /// - Throws: An error if there is no store, or if its model can't be read.
    init(on store: AdministeredStore, _ call: CommandCall, isQuick: Bool) throws {
        let (facts, models) = try store.inspect { inspector in
            let models = try inspector.models()
            return (try inspector.databaseInfo(), models)
        }
        let model = try ObjectModel(currentAmong: models)
        let contents = Result { try StoreContents(of: store) }
        let migrations = MigrationSummary(call, store)
        self.store = store
        self.facts = facts
        self.models = models
        self.contents = try? contents.get()
        self.migrations = migrations
        let output = call.output
        sections = [
            ReportSection("contents", "Contents") { ContentsSection.contents(try contents.get()) },
            ReportSection("model", "Model") { ModelSection(model: model).contents },
            ReportSection("sizes", "Sizes") { try SizesSection.contents(of: store, facts) },
            ReportSection("check", "Check") {
                try FindingSections.check(of: store, output, isQuick: isQuick)
            },
            ReportSection("advice", "Advice") { try FindingSections.advice(on: store, model, call) },
            ReportSection("drift", "Drift") {
                try FindingSections.drift(of: store, output, isMigrating: migrations.run != nil)
            },
            ReportSection("migrations", "Migrations") {
                try MigrationsSection.contents(of: store, models, migrations, call.tool)
            },
        ]
    }

    /// The number of findings that need attention, in all sections.
    var findingCount: Int { sections.reduce(0) { $0 + $1.findingCount } }

    var failedCount: Int { sections.count { $0.error != nil } }
}
