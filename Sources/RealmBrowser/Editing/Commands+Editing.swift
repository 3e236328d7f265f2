/// The commands for editing that can be typed after `:`.
extension Commands {
  static let editing: [Command] = [
    .action("edit", "turn editing on; nothing is written before :w") { $0.startEditing() },
    .action("edit!", "drop all changes") { $0.dropChanges() },
    Command(name: "changes", arguments: "", help: "show the changes that are not written") { _, browser in
      browser.showChanges()
    },
    .action("undo", "undo the last change") { $0.undoOrRedo(isRedo: false) },
    .action("redo", "redo it") { $0.undoOrRedo(isRedo: true) },
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
    .action("q!", "quit and drop the changes") { $0.quit() },
  ]
}
