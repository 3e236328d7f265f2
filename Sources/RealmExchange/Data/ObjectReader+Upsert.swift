import RealmStorage

extension ObjectReader {
  // MARK: Objects that came before

  /// Changes the object that has the primary key of one that was read: what was read takes the place of what was there,
  /// and properties it has no value for stay.
  ///
  /// - Returns: the key of the object; nil where it is new.
  func change(_ object: OpenObject, of dataClass: DataClass) throws -> ObjectKey? {
    guard let primaryKey = dataClass.primaryKey, object.cells[primaryKey].kind != .missing else { return nil }
    let entry = directories[dataClass.number].entry(of: object.cells[primaryKey], in: object.values)
    let stage = stages[dataClass.number]
    guard let key = directories[dataClass.number].object(entry), let row = stage.row(of: key) else { return nil }
    if options.keepsObjectKeys, let given = object.givenKey, given != key.rawValue {
      throw fault(.objectKeyOutOfOrder(className: dataClass.name))
    }
    for property in dataClass.properties where object.cells[property.index].kind != .missing {
      if property.targetIsEmbedded { removeEmbedded(stage.cell(row, property.index), of: stage) }
      stage.replace(row, property.index, with: object.cells[property.index], of: object.values)
    }
    for property in object.pendingProperties { stage.notePending(property) }
    return key
  }

  /// Passes over an object whose primary key came before.
  ///
  /// - Returns: the key of the object that came before; nil where this one is the first.
  func drop(_ object: OpenObject, of dataClass: DataClass) -> ObjectKey? {
    guard let primaryKey = dataClass.primaryKey else { return nil }
    let entry = directories[dataClass.number].entry(of: object.cells[primaryKey], in: object.values)
    guard let key = directories[dataClass.number].object(entry) else { return nil }
    for property in dataClass.properties where property.targetIsEmbedded {
      removeEmbedded(object.cells[property.index], in: object.values)
    }
    return key
  }

  private func removeEmbedded(_ cell: StagedCell, in values: StagedValues) {
    switch cell.kind {
    case .list, .set, .dictionary:
      for index in cell.start..<cell.start + cell.elementCount { removeEmbedded(values.elements[index], in: values) }
    default: removeEmbedded(cell, of: stages[0])
    }
  }

  /// Embedded objects go with the value that held them. As deep as the text is nested, which the reader bounds.
  private func removeEmbedded(_ cell: StagedCell, of stage: ClassStage) {
    switch cell.kind {
    case .list, .set, .dictionary: for element in stage.elements(of: cell) { removeEmbedded(element, of: stage) }
    case .link:
      let target = stages[cell.classNumber]
      guard let row = target.row(of: cell.objectKey) else { return }
      for property in classes[cell.classNumber].properties where property.targetIsEmbedded {
        removeEmbedded(target.cell(row, property.index), of: target)
      }
      target.remove(row)
    default: return
    }
  }
}
