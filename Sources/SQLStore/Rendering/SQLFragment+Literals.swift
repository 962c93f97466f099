extension SQLFragment {
    /// The fragment with its values written out, for a statement that takes none: an index's for instance.
    ///
    /// It is nil where the dialect can't write a value.
    package func writtenOut(in dialect: SQLDialect) -> SQLFragment? {
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
