/// A variable number of tasks that play.
actor Crew {
    private var tasks: [Task<Void, Never>] = []

    /// Sets the number of tasks: starts new ones, or cancels some and waits until their operations have ended.
    func set(_ count: Int, _ play: Play) async {
        while tasks.count < count { tasks.append(Task { await play.playUntilCancelled() }) }
        let removedTasks = tasks.suffix(from: min(count, tasks.count))
        tasks.removeLast(removedTasks.count)
        for task in removedTasks { task.cancel() }
        for task in removedTasks { await task.value }
    }
}
