#if SQLite
/// A lock of a process on a range of a file, parsed from a line of `/proc/locks`.
///
/// ```
/// 3: POSIX  ADVISORY  WRITE 4711 08:01:131074 120 120
/// ```
struct FileLock: Equatable, Sendable {
    /// Whether it is a `flock` lock, which covers a whole file and is none of SQLite's locks.
    let isOfWholeFile: Bool
    let isExclusive: Bool
    let process: Int32
    let device: Device
    let file: UInt64
    let bytes: ClosedRange<UInt64>

    /// A device number of the kernel.
    struct Device: Equatable, Sendable {
        let major: UInt64
        let minor: UInt64
    }

    /// Parses a line, or returns nil for other kinds of locks, waiting processes, and processes of other namespaces.
    init?(line: some StringProtocol) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 8, ["POSIX", "FLOCK"].contains(words[1]), let process = Int32(words[4]),
            process > 0, let first = UInt64(words[6])
        else { return nil }
        let place = words[5].split(separator: ":")
        guard place.count == 3, let major = UInt64(place[0], radix: 16),
            let minor = UInt64(place[1], radix: 16), let file = UInt64(place[2])
        else { return nil }
        isOfWholeFile = words[1] == "FLOCK"
        isExclusive = words[3] == "WRITE"
        self.process = process
        device = Device(major: major, minor: minor)
        self.file = file
        bytes = first...max(first, UInt64(words[7]) ?? .max)
    }
}

extension FileLock {
    /// The locks of all visible processes; empty if the system doesn't report them.
    static var all: [FileLock] {
        (ProcessFile.text("/proc/locks") ?? "").split(separator: "\n").compactMap { FileLock(line: $0) }
    }

    /// The bytes that SQLite locks (<https://www.sqlite.org/src/file/src/os.h>, <https://www.sqlite.org/walformat.html>).
    enum Part {
        /// The pending, reserved and shared bytes of the database file.
        static let database: ClosedRange<UInt64> = 0x4000_0000...0x4000_01FF
        /// The reserved byte of the database file, which a writer without a log locks.
        static let reserved: ClosedRange<UInt64> = 0x4000_0001...0x4000_0001
        /// The write, checkpoint and recovery locks in the WAL index.
        static let index: ClosedRange<UInt64> = 120...122
        /// The write lock in the WAL index.
        static let writing: ClosedRange<UInt64> = 120...120
        /// The checkpoint lock in the WAL index.
        static let checkpointing: ClosedRange<UInt64> = 121...121
        /// The locks of the five read marks in the WAL index.
        static let marks: ClosedRange<UInt64> = 123...127
    }
}

extension FileLock.Device {
    /// Splits a device number from `stat`.
    init(_ number: UInt64) {
        self.init(
            major: (number >> 8) & 0xFFF | (number >> 32) & 0xFFFF_F000,
            minor: number & 0xFF | (number >> 12) & 0xFFFF_FF00)
    }
}
#endif
