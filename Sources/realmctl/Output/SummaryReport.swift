import RealmExchange
import RealmQuery
import RealmStorage

/// The summary of a class with the names of its columns.
struct SummarizedClass {
  struct Column {
    let name: String
    /// In the shorthand of the SDKs; nil for a key path.
    let type: String?
    /// Whether values of several types may be among them.
    let isMixed: Bool
  }

  let name: String
  let summary: ClassSummary
  /// Parallel to those of the summary.
  let columns: [Column]
}

/// The report of `summarize` for programs.
struct SummaryReport {
  /// As typed; `-` for standard input.
  let input: String
  let snapshot: Snapshot
  let summaries: [SummarizedClass]

  /// `Docs/JSONOutput.md` describes the keys.
  func json(missingParts: Int) -> String {
    JSONText.document { json in
      json.path("input", input)
      json.objects("summaries", summaries) { one in
        json.member("class", one.name)
        json.member("summarizedObjects", one.summary.objectCount)
        json.objects("columns", zip(one.columns, one.summary.columns)) { add($0.0, $0.1, to: json) }
      }
      json.member("unreadableParts", missingParts)
    }
  }

  private func add(_ column: SummarizedClass.Column, _ summary: ColumnSummary, to json: JSONText) {
    json.member("columnPath", column.name)
    json.member("columnType", column.type)
    json.member("nonNull", summary.values)
    json.member("nulls", summary.nulls)
    json.member("unreadableValues", summary.damaged)
    json.member("nanValues", summary.notANumbers)
    json.member("distinct", summary.distinct.value)
    json.member("distinctIsEstimate", summary.distinct.isEstimate)
    add("smallest", summary.least, to: json)
    add("largest", summary.greatest, to: json)
    add("average", summary.mean, to: json)
    if let sizes = summary.sizes {
      json.object("sizes") {
        json.member("collections", sizes.collections)
        json.member("emptyCollections", sizes.empty)
        json.member("fewestElements", sizes.least)
        json.member("mostElements", sizes.greatest)
        add("averageElements", .double(sizes.mean), to: json)
      }
    }
    if !summary.types.isEmpty {
      json.objects("typesOfValues", summary.types) { type in
        json.member("typeOfValues", type.name)
        json.member("occurrences", type.count)
      }
    }
    json.objects("mostFrequent", summary.frequencies) { frequency in
      add("frequentValue", frequency.value, to: json)
      json.member("occurrences", frequency.count.value)
      if frequency.count.isEstimate { json.member("occursAtLeast", frequency.count.value - frequency.error) }
    }
    guard let histogram = summary.histogram else { return }
    json.objects("bins", histogram.bins) { bin in
      add("binFrom", bin.lower, to: json)
      add("binTo", bin.upper, to: json)
      json.member("occurrences", bin.count)
    }
    json.member("outsideBins", histogram.outside)
    json.member("binsAreEstimates", histogram.isEstimate)
  }

  /// A value as `export` writes it; null if it cannot be read.
  private func add(_ name: String, _ value: Value, to json: JSONText) {
    guard value != .null, let text = try? ValueJSON(owned: value, in: snapshot).text else { return json.null(name) }
    json.member(name, json: text)
  }
}
