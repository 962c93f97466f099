import ContextCore

/// The frozen versions of a project, and those that a call freezes after them.
struct ProjectVersions {
    /// The frozen versions that stay.
    let kept: [ModelVersion]
    /// The versions that the call freezes; empty if the model is that of the last version.
    let newVersions: [NewVersion]
    /// The version that the new one replaces.
    let amended: ModelVersion?

    /// All versions, oldest first.
    func versions() throws -> ModelVersions { try ModelVersions(kept + newVersions.map(\.version)) }

    /// The files of the new versions.
    func files(in history: ModelHistory) throws -> VersionFiles {
        try VersionFiles(
            newVersions, replacing: amended.map { ($0.name, kept.last?.name) }, in: history)
    }
}
