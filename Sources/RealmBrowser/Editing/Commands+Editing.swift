/// The commands for editing that can be typed after `:`.
extension Commands {
  static let editing: [Command] = [
    Command(name: "edit", arguments: "", help: "turn editing on; nothing is written before :w") { _, browser in
      browser.startEditing()
      return []
    },
    Command(name: "edit!", arguments: "", help: "drop all changes") { _, browser in
      browser.dropChanges()
      return []
    },
    Command(name: "changes", arguments: "", help: "show the changes that are not written") { _, browser in
      browser.showChanges()
    },
    Command(name: "undo", arguments: "", help: "undo the last change") { _, browser in
      browser.undoOrRedo(isRedo: false)
      return []
    },
    Command(name: "redo", arguments: "", help: "redo it") { _, browser in
      browser.undoOrRedo(isRedo: true)
      return []
    },
    Command(
      name: "w", arguments: "[compact]",
      help: "write the changes, with a backup; compact also removes overwritten values",
      completions: { _ in ["compact"] },
      run: { argument, browser in
        guard argument.isEmpty || argument == "compact" else {
          return [.refused("w", takes: "nothing or compact", argument)]
        }
        return browser.write(compacts: argument == "compact", quits: false)
      }),
    Command(name: "wq", arguments: "", help: "write the changes and quit") { _, browser in
      browser.write(compacts: false, quits: true)
    },
    Command(name: "q!", arguments: "", help: "quit and drop the changes") { _, browser in
      browser.quit()
      return []
    },
  ]
}
