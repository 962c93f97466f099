extension SQLFragment {
    /// Returns the fragment with its values as literals, for statements without parameters such as CREATE INDEX.
    ///
    /// The result is nil if the dialect can't render a value.
    package func withLiterals(in dialect: SQLDialect) -> SQLFragment? {
        var written = SQLFragment()
        for segment in segments {
            guard case .binding(let binding) = segment else {
                written.append(segment)
                continue
            }
            guard case .value(let value, let type) = binding, let literal = dialect.literal(value, type)
            else {
                return nil
            }
            written.append(literal)
        }
        return written
    }
}
