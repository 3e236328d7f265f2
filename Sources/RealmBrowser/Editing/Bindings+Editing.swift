/// The keys for editing. While editing is on, they take precedence over the others.
extension Bindings {
  static let editing: [Binding] = [
    Binding(
      [.character("e")], .edit, in: .editable, hint: "edit", .editing,
      "edit the value, or that of all marked rows; null if allowed"),
    Binding([.character("E")], .editInEditor, in: .editable, .editing, "edit the value in $EDITOR"),
    Binding(
      [.character("o")], .addObject, in: [.classes, .objects, .object], hint: "add", .editing, "add an object"),
    Binding([.character("O")], .duplicateObject, in: [.objects, .object], .editing, "add a copy of this object"),
    Binding(
      [.character("D")], .deleteObjects, in: [.objects, .object], hint: "delete", .editing,
      "delete the object, or all that are marked"),
    Binding(
      [.character("a")], .appendElement, in: .editable, .editing, "add an element after this one, or an entry"),
    Binding([.character("i")], .insertElement, in: .editable, .editing, "add an element before this one"),
    Binding([.character("d")], .removeElement, in: .editable, .editing, "remove this element or entry"),
    Binding([.character("{")], .moveElementUp, in: .editable, .editing, "move this element up"),
    Binding([.character("}")], .moveElementDown, in: .editable, .editing, "move this element down"),
    Binding([.character("u")], .undo, hint: "undo", .editing, "undo the last change"),
    Binding([.control("r")], .redo, .editing, "redo it"),
  ]

  /// The request of a key in a view; nil if it has no meaning there.
  static func request(for key: Key, in view: ViewKinds, isEditing: Bool) -> Request? {
    guard isEditing, let binding = editing(key, in: view) else { return request(for: key, in: view) }
    return binding.request
  }

  /// The meaning of a key while editing is on.
  static func editing(_ key: Key, in view: ViewKinds) -> Binding? {
    editing.first { $0.keys.contains(key) && !$0.views.isDisjoint(with: view) }
  }

  /// The lines that apply to a view, without keys that mean something else while editing.
  static func bindings(in view: ViewKinds, isEditing: Bool) -> [Binding] {
    let others = bindings(in: view)
    guard isEditing else { return others }
    let own = editing.filter { !$0.views.isDisjoint(with: view) }
    let keys = Set(own.flatMap(\.keys))
    let kept = others.compactMap { $0.without(keys) }
    // The key that leads further comes first, then those for editing.
    return Array(kept.prefix(1)) + own + kept.dropFirst()
  }
}

extension ViewKinds {
  /// Views of values that can be edited.
  static let editable: ViewKinds = [.objects, .object, .collection]
}
