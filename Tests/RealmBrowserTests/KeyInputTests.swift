import Foundation
import TestSupport
import Testing

@testable import RealmBrowser

@Suite struct KeyInputTests {
  @Test func `a descriptor is closed once, whoever has its number later`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("keys", [1])
    // If another thread takes the number meanwhile, try again.
    var wasTaken = false
    for _ in 0..<100 where !wasTaken {
      let input = try #require(KeyInput(opening: path))
      input.close()
      let other = open(path, O_RDONLY)
      defer { close(other) }
      guard other == input.descriptor else { continue }
      wasTaken = true
      input.close()
      #expect(fcntl(other, F_GETFD) != -1)
    }
    #expect(wasTaken)
  }

  @Test func `the end of the instance closes it, but not standard input`() throws {
    let folder = try TemporaryFolder()
    #expect(KeyInput(opening: folder.path("nothing")) == nil)
    let reader = FileDescriptorCount()
    let path = try folder.write("keys", [1])
    var input = KeyInput(opening: path)
    #expect(reader.opened(path) == 1)
    input = nil
    #expect(reader.opened(path) == 0)
    #expect(input == nil)
    KeyInput.standard.close()
    #expect(fcntl(STDIN_FILENO, F_GETFD) != -1)
  }
}

/// The number of descriptors of this process that refer to a file.
private struct FileDescriptorCount {
  func opened(_ path: String) -> Int {
    var wanted = stat()
    guard stat(path, &wanted) == 0 else { return -1 }
    return (0..<1024).count { descriptor in
      var found = stat()
      return fstat(Int32(descriptor), &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
    }
  }
}
