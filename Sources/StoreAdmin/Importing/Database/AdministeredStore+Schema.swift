import ContextCore

extension AdministeredStore {
    /// Returns the store at the same address with the schema of `--schema`, if the option is given.
    func replacingSchema(_ schema: String?) throws -> AdministeredStore {
        guard let schema else { return self }
        guard backend.optionKeys.contains("schema") else {
            throw AdminError.usage(
                "--schema is an option for a server, and \(title) is a file.", hint: "Leave out --schema.")
        }
        return AdministeredStore(
            name: name, url: url.replacing(["schema": schema]), backend: backend, isProduction: isProduction)
    }
}
