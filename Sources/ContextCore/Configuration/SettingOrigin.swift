/// Says where a setting was written.
package enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
    /// By who called: a program's code, or an option of a command.
    case call
    /// In a variable of the environment.
    case variable(String)
    /// In a file, at a place.
    case file(String, JSONPosition)
    /// Nowhere: it is what holds where nothing is written.
    case builtIn

    package var description: String {
        switch self {
        case .call: "command line"
        case .variable(let name): "environment, \(name)"
        case .file(let path, let position): "\(path):\(position)"
        case .builtIn: "built in"
        }
    }
}
