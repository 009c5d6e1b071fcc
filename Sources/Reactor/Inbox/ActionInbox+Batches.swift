extension ActionInbox {
  /// Accepts several actions, or none of them.
  ///
  /// - Parameters:
  ///   - actions: The actions, one at least.
  ///   - luggage: What each of them brings along.
  ///   - extras: This inbox's; somewhere to make them, at least, where there is luggage.
  ///   - isAccepted: Called with their numbers, under the lock, before anybody can take one.
  /// - Returns: What became of each.
  func admit(
    _ actions: [Action], _ luggage: [ActionLuggage?], _ extras: Extras?,
    isAccepted: (PipelineBatch) -> Void
  ) -> [InboxAdmission] {
    contents.withLock { contents in
      guard !contents.isClosed else { return actions.map { _ in .refused } }
      guard extras?.pointee?.hasRoom(for: actions.count, beside: contents) != false else {
        return actions.map { _ in .full }
      }
      isAccepted(PipelineBatch(contents.accepted..<contents.accepted + UInt64(actions.count)))
      return zip(actions, luggage).map { action, luggage in
        guard let extras, luggage != nil else { return InboxAdmission(contents.append(action)) }
        return InboxExtras.made(at: extras).append(action, luggage, to: &contents)
      }
    }
  }
}
