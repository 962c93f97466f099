import ContextCore

/// Asks for a store's name before it is changed in a way that can't be undone.
enum Confirmation {
    /// The option by which the name is given.
    static let option = OptionDeclaration.option(
        "confirm", nil, "STORE", "The store's name, where it is a production store.")

    /// Asks for the name of a production store.
    static func check(_ call: CommandCall, _ store: AdministeredStore) throws(AdminError) {
        if store.isProduction {
            try demand(call, store, because: "\(store.title) is a production store.")
        }
    }

    /// Asks for the name of any store.
    static func demand(
        _ call: CommandCall, _ store: AdministeredStore, because reason: String
    ) throws(AdminError) {
        guard let confirmed = call.arguments["confirm"] else {
            throw .refused(reason, hint: "Add --confirm \(store.confirmation).")
        }
        if confirmed != store.confirmation {
            throw .refused(
                "“\(confirmed)” is not the name of the store.", hint: "Its name is \(store.confirmation).")
        }
    }
}
