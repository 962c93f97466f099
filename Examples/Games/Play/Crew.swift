/// A variable number of tasks that play.
actor Crew {
    private var tasks: [Task<Void, Never>] = []

    /// Sets the number of tasks: starts new ones, or cancels some and waits until their operations have ended.
    func set(_ count: Int, _ play: Play) async {
        while tasks.count < count { tasks.append(Task { await play.work() }) }
        let leaving = tasks.suffix(from: min(count, tasks.count))
        tasks.removeLast(leaving.count)
        for task in leaving { task.cancel() }
        for task in leaving { await task.value }
    }
}
