package import Foundation

extension Thread {
    /// Gives a thread that hasn't started a stack of 8 MB, which is the default on Linux with Glibc.
    ///
    /// The default is 512 KB on Darwin and 128 KB with Musl, which a program's block may exceed.
    package func enlargeStack() {
        #if canImport(Darwin) || canImport(Musl)
        stackSize = 8 << 20
        #endif
    }
}
