/// The name that was probably meant: one that begins with `text`, or that is at most two edits
/// away (one for texts of up to four letters). Nil if there is none; the first of equals.
func nearestName(to text: String, among names: [String]) -> String? {
  if text.count > 1, let longer = names.first(where: { $0.hasPrefix(text) }) { return longer }
  let editsMax = text.count <= 4 ? 1 : 2
  let scored = names.map { (name: $0, edits: edits(from: text, to: $0)) }
  return scored.filter { $0.edits <= editsMax }.min { $0.edits < $1.edits }?.name
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one text into another.
private func edits(from source: String, to target: String) -> Int {
  let (source, target) = (Array(source), Array(target))
  var rows = [Array(0...target.count)]
  for i in source.indices {
    var row = [i + 1]
    for j in target.indices {
      let replaced = rows[i][j] + (source[i] == target[j] ? 0 : 1)
      var least = min(rows[i][j + 1] + 1, row[j] + 1, replaced)
      if i > 0, j > 0, source[i] == target[j - 1], source[i - 1] == target[j] {
        least = min(least, rows[i - 1][j - 1] + 1)
      }
      row.append(least)
    }
    rows.append(row)
  }
  return rows[source.count][target.count]
}
