import Libc
import RealmSystem

/// The variables of the process's environment.
package enum Environment {
  /// The value of a variable, whatever bytes it has (`SystemText`); nil if it is not set.
  package static func value(_ name: String) -> String? {
    guard let value = name.withSystemPath({ getenv($0.pointer) }) else { return nil }
    return SystemText.text(of: UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  /// The same for a variable whose empty value counts as not set.
  package static func nonEmptyValue(_ name: String) -> String? {
    value(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
