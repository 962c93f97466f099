/// Fits a sequence that never decreases to given values (isotonic regression, by pooling adjacent violators).
enum MonotoneFit {
    /// Returns the sequence with the least sum of weighted squares of differences from the values.
    static func values(_ values: [Double], weights: [Double]) -> [Double] {
        var pools: [(mean: Double, weight: Double, count: Int)] = []
        for (value, weight) in zip(values, weights) {
            var pool = (mean: value, weight: weight, count: 1)
            while let last = pools.last, last.mean > pool.mean {
                pools.removeLast()
                let sum = last.weight + pool.weight
                pool = (
                    (last.mean * last.weight + pool.mean * pool.weight) / sum, sum, last.count + pool.count
                )
            }
            pools.append(pool)
        }
        return pools.flatMap { Array(repeating: $0.mean, count: $0.count) }
    }
}
