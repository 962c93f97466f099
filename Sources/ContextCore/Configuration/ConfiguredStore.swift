import Foundation

/// An entry for a store in the configuration, with its secrets unresolved.
package struct ConfiguredStore: Sendable {
    /// The address of a store.
    package enum Address: Sendable {
        /// A literal address.
        case url(StoreURL, SettingOrigin)
        /// The name of an environment variable with the address.
        case variable(String, SettingOrigin)
    }

    /// The name of the store; nil if it was specified by its URL.
    package let name: String?
    package let address: Address
    /// Settings that are added to the address, with their origins.
    package var options: [String: (value: String, origin: SettingOrigin)] = [:]
    package var password: (source: SecretSource, origin: SettingOrigin)?
    package var production: SettingOrigin?
    /// The origin of the entry.
    package let origin: SettingOrigin

    /// Whether it is a production store, whose name `storectl` asks for before irreversible commands.
    package var isProduction: Bool { production != nil }
}

extension ConfiguredStore {
    /// Returns the address with its secrets.
    ///
    /// - Parameter backends: The program's backends, which determine whether the path is a file path.
    package func url(
        among backends: [StoreBackend], _ environment: ConfigurationEnvironment
    ) throws -> StoreURL {
        var url = try urlWithOptions(environment)
        if let password {
            if url.password != nil {
                throw StoreError(
                    .configuration,
                    "\(password.origin): the password is in “password” and in the store's URL.",
                    remedy: "Remove the password from the URL.")
            }
            url = try password.source.adding(to: url, environment, named: password.origin)
        }
        let isFile = try StoreBackend.backend(for: url, among: backends).administration?.pathsAreFiles
        return isFile == true ? withAbsolutePath(url, environment) : url
    }

    /// Returns the address without resolving secrets; nil if its environment variable isn't set.
    func address(among backends: [StoreBackend], _ environment: ConfigurationEnvironment) throws
        -> StoreURL?
    {
        if case .variable(let name, _) = address, environment.variables[name]?.isEmpty != false {
            return nil
        }
        let url = try urlWithOptions(environment)
        let backend = backends.first { $0.schemes.contains(url.scheme) }
        return backend?.administration?.pathsAreFiles == true ? withAbsolutePath(url, environment) : url
    }

    /// Returns the address with the settings of the entry.
    private func urlWithOptions(_ environment: ConfigurationEnvironment) throws -> StoreURL {
        var url = try addressURL(environment)
        for (key, option) in options {
            if url.options[key] != nil {
                throw StoreError(
                    .configuration,
                    "\(option.origin): the setting “\(key)” is in “options” and in the store's URL.",
                    remedy: "Remove it from “options” or from the URL.")
            }
            url = url.adding(key, option.value)
        }
        environment.secrets.register(secretsOf: url)
        return url
    }

    private func addressURL(_ environment: ConfigurationEnvironment) throws -> StoreURL {
        let url: StoreURL
        switch address {
        case .url(let addressURL, _): url = addressURL
        case .variable(let variable, let origin):
            guard let text = environment.variables[variable], !text.isEmpty else {
                throw StoreError(
                    .configuration,
                    "\(origin): the environment variable \(variable), which contains the store's URL, is empty or not set.",
                    remedy: "Set \(variable) to the URL of the store.")
            }
            url = try StoreURL(text)
        }
        environment.secrets.register(secretsOf: url)
        return url
    }

    /// Returns the address with an absolute path: a relative path starts in the directory of the configuration file, or else in the
    /// working directory.
    private func withAbsolutePath(_ url: StoreURL, _ environment: ConfigurationEnvironment) -> StoreURL {
        if url.path.isEmpty || url.path.hasPrefix("/") || url.path.hasPrefix(":") { return url }
        let origin =
            switch address {
            case .url(_, let origin), .variable(_, let origin): origin
            }
        guard case .file(let path, _) = origin else {
            return url.replacingPath(environment.resolved(url.path))
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        return url.replacingPath(folder.appendingPathComponent(url.path).path)
    }
}
