import ContextCore

/// An object of the entity `Team`.
@Entity final class Team: ManagedObject {}
