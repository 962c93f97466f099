#if SQLite
/// A lock of a part of a file that a process has, as a line of `/proc/locks` tells it.
///
/// ```
/// 3: POSIX  ADVISORY  WRITE 4711 08:01:131074 120 120
/// ```
struct FileLock: Equatable, Sendable {
    /// Whether it is one of `flock`, which is about whole files and no part of those of SQLite.
    let isOfWholeFile: Bool
    let isExclusive: Bool
    let process: Int32
    let device: Device
    let file: UInt64
    let bytes: ClosedRange<UInt64>

    /// A device, as the kernel numbers it.
    struct Device: Equatable, Sendable {
        let major: UInt64
        let minor: UInt64

        init(major: UInt64, minor: UInt64) {
            self.major = major
            self.minor = minor
        }

        /// Takes the number apart that `stat` answers.
        init(_ number: UInt64) {
            major = (number >> 8) & 0xFFF | (number >> 32) & 0xFFFF_F000
            minor = number & 0xFF | (number >> 12) & 0xFFFF_FF00
        }
    }

    /// Reads a line; nil for one of another kind, of a process that only waits, or of one that can't be seen from here.
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
    /// Which bytes SQLite locks to keep others out (<https://www.sqlite.org/src/file/src/os.h>, <https://www.sqlite.org/walformat.html>).
    enum Part {
        /// Of the file of the database: pending, reserved and shared.
        static let database: ClosedRange<UInt64> = 0x4000_0000...0x4000_01FF
        /// Of the index of the log: writing, checkpointing and recovering.
        static let index: ClosedRange<UInt64> = 120...122
        /// Of the index of the log: writing alone.
        static let writing: ClosedRange<UInt64> = 120...120
    }
}
#endif
