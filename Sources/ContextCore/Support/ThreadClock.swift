import Foundation

#if canImport(Darwin)
import Darwin
#endif

/// A clock of the processor time of a thread, which any thread can read.
struct ThreadClock: Sendable {
    #if canImport(Darwin)
    private let thread = pthread_mach_thread_np(pthread_self())
    #else
    private let clock: clockid_t
    #endif

    /// The clock of the calling thread.
    static var current: ThreadClock { ThreadClock() }

    #if canImport(Darwin)
    private init() {}

    /// The processor time that the thread has used; nil once it has ended.
    var time: Duration? {
        var info = thread_basic_info()
        var count = mach_msg_type_number_t(
            MemoryLayout<thread_basic_info>.size / MemoryLayout<integer_t>.size)
        let status = withUnsafeMutablePointer(to: &info) { info in
            // withMemoryRebound: the kernel fills the structure as an array of at most `count` integers.
            info.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                thread_info(thread, thread_flavor_t(THREAD_BASIC_INFO), $0, &count)
            }
        }
        guard status == KERN_SUCCESS else { return nil }
        return .seconds(Int(info.user_time.seconds) + Int(info.system_time.seconds))
            + .microseconds(Int(info.user_time.microseconds) + Int(info.system_time.microseconds))
    }
    #else
    private init() {
        var clock = clockid_t()
        pthread_getcpuclockid(pthread_self(), &clock)
        self.clock = clock
    }

    /// The processor time that the thread has used; nil once it has ended.
    var time: Duration? {
        // Unsafe pointer: in a release build the compiler attributes the fields of timespec to a module that can't be imported, so
        // they are read by offset. They are two words, the seconds and the nanoseconds.
        withUnsafeTemporaryAllocation(of: timespec.self, capacity: 1) { memory -> Duration? in
            guard let time = memory.baseAddress, clock_gettime(clock, time) == 0 else { return nil }
            let words = UnsafeRawPointer(time)
            return .seconds(words.load(as: Int.self))
                + .nanoseconds(words.load(fromByteOffset: MemoryLayout<Int>.stride, as: Int.self))
        }
    }
    #endif
}
