import Foundation

/// One store of the configuration, as it was written.
package struct ConfiguredStore: Sendable {
    /// Where the store is.
    package enum Address: Sendable {
        /// An address that was written out.
        case url(StoreURL, SettingOrigin)
        /// An address that stands in a variable of the environment.
        case variable(String, SettingOrigin)
    }

    /// What it is called; nil for one that was named by its URL.
    package let name: String?
    package let address: Address
    /// Settings that are added to the address, with where each was written.
    package var options: [String: (value: String, origin: SettingOrigin)] = [:]
    package var password: (source: SecretSource, origin: SettingOrigin)?
    package var production: SettingOrigin?
    /// Where the store was named.
    package let origin: SettingOrigin

    /// Whether people depend on it, so that what can't be undone asks for its name.
    package var isProduction: Bool { production != nil }
}

extension ConfiguredStore {
    /// The address, with its secrets looked up.
    ///
    /// - Parameter backends: Those of the program; one of them says whether the path is a file's.
    package func url(
        among backends: [StoreBackend], _ surroundings: ConfigurationSurroundings
    ) throws -> StoreURL {
        var url = try configured(surroundings)
        if let password {
            if url.password != nil {
                throw StoreError(
                    .configuration, "\(password.origin): the URL has a password already.",
                    remedy: "Remove it from the URL.")
            }
            url = try password.source.adding(to: url, surroundings, named: password.origin)
        }
        let isFile = try StoreBackend.backend(for: url, among: backends).administration?.pathsAreFiles
        return isFile == true ? anchored(url, surroundings) : url
    }

    /// The address without the secrets that are kept elsewhere; nil where it stands in a variable that isn't set.
    func address(among backends: [StoreBackend], _ surroundings: ConfigurationSurroundings) throws
        -> StoreURL?
    {
        if case .variable(let name, _) = address, surroundings.variables[name]?.isEmpty != false {
            return nil
        }
        let url = try configured(surroundings)
        let backend = backends.first { $0.schemes.contains(url.scheme) }
        return backend?.administration?.pathsAreFiles == true ? anchored(url, surroundings) : url
    }

    /// The address with all settings.
    private func configured(_ surroundings: ConfigurationSurroundings) throws -> StoreURL {
        var url = try written(surroundings)
        for (key, option) in options {
            if url.options[key] != nil {
                throw StoreError(
                    .configuration, "\(option.origin): the URL has a setting \(key) already.",
                    remedy: "Remove one of them.")
            }
            url = url.adding(key, option.value)
        }
        surroundings.secrets.note(secretsOf: url)
        return url
    }

    private func written(_ surroundings: ConfigurationSurroundings) throws -> StoreURL {
        let url: StoreURL
        switch address {
        case .url(let written, _): url = written
        case .variable(let variable, let origin):
            guard let text = surroundings.variables[variable], !text.isEmpty else {
                throw StoreError(
                    .configuration, "\(origin): the environment has no variable \(variable) with the URL.",
                    remedy: "Set it.")
            }
            url = try StoreURL(text)
        }
        surroundings.secrets.note(secretsOf: url)
        return url
    }

    /// The address whose path, where it is relative, begins in the folder of the file that it stands in, or else in the working
    /// folder.
    private func anchored(_ url: StoreURL, _ surroundings: ConfigurationSurroundings) -> StoreURL {
        if url.path.isEmpty || url.path.hasPrefix("/") || url.path.hasPrefix(":") { return url }
        let origin =
            switch address {
            case .url(_, let origin), .variable(_, let origin): origin
            }
        guard case .file(let path, _) = origin else {
            return url.replacingPath(surroundings.resolved(url.path))
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        return url.replacingPath(folder.appendingPathComponent(url.path).path)
    }
}
