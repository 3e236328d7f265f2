import RealmStorage

/// Comparing files and snapshots that are open.
extension Browser {
  /// `:diff`: with the other tab, or with the snapshot before; `:diff 2`, `:diff previous`, `:diff 4096`, `:diff FILE`.
  func diff(_ argument: String) -> [Effect] {
    guard options.compare != nil else { return [.say(.info("nothing can be compared here"))] }
    if argument.isEmpty {
      switch tabs.count {
      case 1: return diff(snapshot: .previous)
      case 2: return diff(tab: 1 - currentTab)
      default: return [.say(.warning("name a tab, as in :diff 2, or previous"))]
      }
    }
    if let number = Int(argument), (1...tabs.count).contains(number) {
      return number - 1 == currentTab ? [.say(.info("this is tab \(number)"))] : diff(tab: number - 1)
    }
    if let choice = SnapshotChoice(named: argument), choice != .live { return diff(snapshot: choice) }
    let first = currentTab
    return openFile(argument) { browser in browser.diff(tab: first) }
  }

  /// The tab further to the left counts as the older one.
  private func diff(tab other: Int) -> [Effect] {
    let (left, right) = (min(other, currentTab), max(other, currentTab))
    let names = [left, right].map { tabs[$0].context.realm.name }
    let isSame = names[0] == names[1]
    return push(
      old: tabs[left], new: tabs[right], oldName: isSame ? "\(names[0]) (tab \(left + 1))" : names[0],
      newName: isSame ? "\(names[1]) (tab \(right + 1))" : names[1])
  }

  private func diff(snapshot choice: SnapshotChoice) -> [Effect] {
    guard context.realm.isLive else {
      return [.say(.info("an older snapshot is shown; :snapshot live goes back to the newest"))]
    }
    return context.effects {
      let old = try context.realm.showing(choice)
      let tab = tabs[currentTab]
      return push(
        old: Tab(context: context.sibling(old), options: tab.options), new: tab,
        oldName: "version \(old.snapshot.version)", newName: "version \(context.realm.snapshot.version)")
    }
  }

  private func push(old: Tab, new: Tab, oldName: String, newName: String) -> [Effect] {
    guard let compare = options.compare else { return [] }
    return context.effects {
      // Realms of their own, which a reload does not replace.
      let compared = ComparedRealms(
        old: old.context.sibling(try old.context.realm.withoutPages()),
        new: new.context.sibling(try new.context.realm.withoutPages()), oldName: oldName, newName: newName)
      return [.push(DiffView(context, compared, compare))]
    }
  }
}
