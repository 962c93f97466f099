/// The tasks that play, as many as are wanted.
actor Crew {
    private var tasks: [Task<Void, Never>] = []

    /// Lets so many play: others begin, or some stop when what they do has ended.
    func set(_ count: Int, _ play: Play) async {
        while tasks.count < count { tasks.append(Task { await play.work() }) }
        let leaving = tasks.suffix(from: min(count, tasks.count))
        tasks.removeLast(leaving.count)
        for task in leaving { task.cancel() }
        for task in leaving { await task.value }
    }
}
