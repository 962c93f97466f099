import ContextCore

/// The option `--confirm`, which repeats a store's name to confirm an irreversible change.
enum Confirmation {
    static let option = OptionDeclaration.option(
        "confirm", nil, "STORE", "The store's name, which a production store requires as a confirmation.")

    /// Throws if the store is a production store and `--confirm` doesn't give its name.
    static func check(_ call: CommandCall, _ store: AdministeredStore) throws(AdminError) {
        if store.isProduction {
            try require(call, store, because: "\(store.title) is a production store.")
        }
    }

    /// Throws if `--confirm` doesn't give the name of the store.
    ///
    /// - Parameter reason: A sentence that says why the change must be confirmed.
    static func require(
        _ call: CommandCall, _ store: AdministeredStore, because reason: String
    ) throws(AdminError) {
        guard let confirmed = call.arguments["confirm"] else {
            throw .refused(reason, hint: "Add --confirm \(store.confirmation.shellQuoted).")
        }
        if confirmed != store.confirmation {
            throw .refused(
                "“\(confirmed)” is not the name of the store.", hint: "Its name is \(store.confirmation).")
        }
    }
}
