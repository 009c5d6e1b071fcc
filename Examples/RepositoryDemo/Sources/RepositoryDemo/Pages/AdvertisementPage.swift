/// The page to which the advertisement leads.
enum AdvertisementPage {
  static let file = #fileID
  static let title = "One way for every change"

  static let body: HTML = """
    <p class="back"><a href="/" data-back><span aria-hidden="true">‹</span> Repositories</a></p>
    <article class="poster"><p class="tag">Advertisement</p><h1>\(title)</h1>
    <p class="lead">A reactor is an actor with a state. Actions go in, states come out, and nothing \
    else changes anything.</p>
    <ol class="steps"><li><b>Action</b><span>A press, a key, a timer, a broadcast</span></li>\
    <li><b>Mutation</b><span>What the action, or its effect, has led to</span></li>\
    <li><b>State</b><span>One value, and every window that shows it</span></li></ol>
    <p>This page itself was opened by an action. The row that led here is gone when you return: \
    the list’s state has no advertisement any more.</p>
    <p class="buttons"><a class="button primary" href="/catalogue">All components in all their states\
    </a></p></article>
    """
}
