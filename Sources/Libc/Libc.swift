// The C library of the system. Everything else imports this module, so that this is the only file that asks which one it
// is. `Libc.write` says which function is meant where a member has the same name.
#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Glibc
#endif
