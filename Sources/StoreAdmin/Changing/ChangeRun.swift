import ContextCore
import Foundation

/// Applies a request of changes to a store in one transaction.
struct ChangeRun: Sendable {
    /// The author of saves in the history, unless the caller gives another one.
    static let defaultAuthor = "storectl change"

    let request: ChangeRequest
    var author = ChangeRun.defaultAuthor
    /// Whether to validate without saving, even if the request doesn't request it.
    var isDry = false

    /// Reads a document of changes, applies it to a store, and reports the outcome.
    ///
    /// - Parameters:
    ///   - source: The name of the document in messages.
    ///   - confirm: Called before the store is changed, unless nothing is to be saved; an error refuses the change.
    static func report(
        of document: Data, named source: String, on store: AdministeredStore, _ tool: Tool,
        author: String = defaultAuthor, isDry: Bool = false, confirm: () throws -> Void = {}
    ) throws -> Report {
        let model = try model(of: store, tool)
        let request = try ChangeReader.request(document, model: model, source: source)
        if !isDry, !request.isDry { try confirm() }
        return try ChangeRun(request: request, author: author, isDry: isDry).run(on: store, model).report
    }

    /// Returns the model with which to open a store for changes: that of the program if the store has the same model, so that the
    /// classes' own rules hold.
    private static func model(of store: AdministeredStore, _ tool: Tool) throws -> ObjectModel {
        let stored = try store.model()
        guard let own = tool.model, own.fingerprint == stored.fingerprint else { return stored }
        return own
    }

    /// Opens a store, applies the changes, and closes it.
    func run(on store: AdministeredStore, _ model: ObjectModel) throws -> ChangeOutcome {
        let coordinator = try store.backend.coordinator(for: store.url, model)
        let opened: Store
        do {
            opened = try Store(coordinator: coordinator)
        } catch {
            coordinator.close()
            throw error
        }
        defer { opened.closeAndWait() }
        return try run(on: opened)
    }

    /// Applies the changes to an open store.
    ///
    /// A dry run saves in a transaction that is rolled back, so that it finds everything that a save would.
    func run(on store: Store) throws -> ChangeOutcome {
        let isDry = isDry || request.isDry
        do {
            return try store.writeAndWait("change") { context in
                context.author = author
                context.recordsAppliedChanges = true
                context.tracesDeletions = true
                var application = ChangeApplication(request, in: context)
                var outcome = try application.run()
                outcome.isDry = isDry
                outcome.isSaved = !isDry && outcome.isValid
                if outcome.isSaved { return outcome }
                throw UnsavedChanges(outcome: outcome)
            }
        } catch let unsaved as UnsavedChanges {
            return unsaved.outcome.withoutSave
        }
    }

    /// Rolls the transaction back, and passes the outcome on.
    private struct UnsavedChanges: Error {
        let outcome: ChangeOutcome
    }
}

extension ChangeOutcome {
    /// The outcome without the keys and the versions of a save that was rolled back, and without effects if there is none to expect.
    fileprivate var withoutSave: ChangeOutcome {
        var outcome = self
        if !isValid {
            (outcome.inserted, outcome.updated, outcome.deleted, outcome.nullified) = ([], [], [], [])
            outcome.counts = Counts()
            return outcome
        }
        outcome.inserted = inserted.map {
            Insertion(name: $0.name, entityName: $0.entityName, key: nil, version: nil)
        }
        outcome.updated = updated.map { Update(object: $0.object, version: nil, properties: $0.properties) }
        return outcome
    }
}
