/// Live reactors, the rate of actions, and the last hundred steps with their causes.
enum InsidePage {
  static func body(_ steps: StepLog) -> HTML {
    let live = steps.live.map { "<li><b>\($0.count)</b> \($0.type)</li>" as HTML }
    let rows = steps.lines.map { line -> HTML in
      """
      <tr><td>\(line.number)</td><td>\(line.reactor)</td><td>\(line.text)</td>\
      <td>\(line.cause)</td></tr>
      """
    }
    let rate = Int(steps.rate * 10)
    return """
      <h1>Inside</h1><div id="inside-now" data-again="2000"><p class="quiet"><b>\(rate / 10).\(rate % 10)</b> actions a second, over the \
      last ten seconds</p><ul class="fact-list">\(live)</ul></div>
      <div class="table" tabindex="0" role="region" aria-label="The last hundred steps"><table>
      <thead><tr><th scope="col">Step</th><th scope="col">Reactor</th><th scope="col">What</th>\
      <th scope="col">Because of</th></tr></thead><tbody id="inside-steps" data-again="2000">\(rows)</tbody></table></div>
      """
  }
}
