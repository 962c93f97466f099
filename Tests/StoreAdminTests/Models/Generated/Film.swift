import ContextCore

/// An object of the entity `Film`.
@Entity final class Film: Medium {
    var minutes: Double? = 90.5
}
