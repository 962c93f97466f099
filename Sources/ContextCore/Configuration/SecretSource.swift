import Foundation

/// The location of a secret, which must not be in the configuration itself or on the command line.
package enum SecretSource: Sendable, Hashable {
    /// The first line of a file.
    case file(String)
    /// An environment variable.
    case variable(String)
    /// The first line of the output of a command.
    case command([String])
    /// A password file that libpq reads; nil for the default one.
    case passwordFile(String?)

    /// The location in messages, without the secret.
    package var description: String {
        switch self {
        case .file(let path): "from the file \(path)"
        case .variable(let name): "from the variable \(name)"
        case .command(let words): "from the command \(words.first ?? "")"
        case .passwordFile(let path): "from the password file \(path ?? "~/.pgpass")"
        }
    }

    /// Returns the address with the secret, or with the path of the password file in which libpq looks it up.
    ///
    /// - Throws: ``StoreError/Code/configuration``, whose texts never contain the secret.
    func adding(
        to url: StoreURL, _ environment: ConfigurationEnvironment, named origin: SettingOrigin
    ) throws -> StoreURL {
        do {
            if case .passwordFile(let path) = self {
                let file = try PasswordFile(
                    path.map { environment.resolved($0, from: origin) }, environment)
                return url.adding(PasswordFile.setting, file.path)
            }
            let secret = try readSecret(environment, origin)
            if secret.isEmpty {
                throw StoreError(
                    .configuration, "the password \(description) is empty.",
                    remedy: "Store the password there, or remove “password” from the entry of the store.")
            }
            environment.secrets.register(secret)
            return url.replacingPassword(secret)
        } catch let error as StoreError {
            throw StoreError(
                .configuration, "\(origin): \(error.message)", remedy: error.remedy, detail: error.detail)
        }
    }

    private func readSecret(_ environment: ConfigurationEnvironment, _ origin: SettingOrigin) throws
        -> String
    {
        switch self {
        case .file(let path): return try Self.firstLine(ofFile: environment.resolved(path, from: origin))
        case .variable(let name):
            if let value = environment.variables[name] { return value }
            throw StoreError(
                .configuration, "the environment variable \(name), which contains the password, is not set.",
                remedy: "Set \(name) to the password of the store.")
        case .command(let words):
            if case .file(let path, _) = origin { try Self.checkTrust(inFile: path) }
            return try SecretCommand(words: words, environment).firstLine()
        case .passwordFile: return ""
        }
    }

    /// Throws if a user other than this one and root can write to a configuration file, because its commands run as this user.
    private static func checkTrust(inFile path: String) throws(StoreError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let owner = (attributes?[.ownerAccountID] as? NSNumber)?.uint32Value
        let permissions = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard owner == geteuid() || owner == 0, permissions & 0o002 == 0 else {
            throw StoreError(
                .configuration,
                "another user can write to \(path), so the command in it that prints the password isn't run.",
                remedy:
                    "Change the owner and permissions of the file with chown and chmod, or store the password in a file or a variable."
            )
        }
    }

    static func firstLine(ofFile path: String) throws(StoreError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StoreError(
                .configuration, "the file \(path) with the password can't be read.",
                remedy: "Check that the file exists and that its permissions let you read it.")
        }
        return firstLine(of: data)
    }

    static func firstLine(of data: Data) -> String {
        String(decoding: data, as: UTF8.self).newlineSeparatedLines.first.map(String.init) ?? ""
    }
}
