import CSystem

/// What kind of file system a file lies on.
enum FileSystem {
  /// Whether the bytes come over a network or from another program, so that a read can fail at any time. Such a failure
  /// is an error of `pread`, but a fault of a mapping.
  ///
  /// A file system that cannot be asked counts as local: it is the ordinary case, and a fault is still answered
  /// (`MappingFault`).
  static func isRemote(_ descriptor: Int32) -> Bool {
    let answer = csystem_file_system(descriptor)
    #if canImport(Darwin)
      return answer != 0
    #else
      return remoteTypes.contains(answer)
    #endif
  }

  #if !canImport(Darwin)
    /// `f_type` values (statfs(2), linux/magic.h, and the sources of file systems outside the kernel tree).
    private static let remoteTypes: Set<UInt32> = [
      0x6969,  // NFS
      0x517b, 0xff53_4d42, 0xfe53_4d42,  // SMB, CIFS, SMB2
      0x6573_5546,  // FUSE (sshfs, cloud drives), virtiofs
      0x0102_1997,  // 9p (WSL, virtual machines)
      0x5346_414f, 0x6b41_4653,  // AFS
      0x7375_7245,  // Coda
      0x00c3_6400,  // Ceph
      0x0bd0_0bd0,  // Lustre
      0x4750_4653,  // GPFS
      0x1983_0326,  // BeeGFS
      0xaad7_aaea,  // PanFS
      0x564c,  // NCP
      0x786f_4256,  // VirtualBox shared folders
      0xbacb_acbc,  // VMware shared folders
      0x7c7c_6673,  // Parallels shared folders
    ]
  #endif
}
