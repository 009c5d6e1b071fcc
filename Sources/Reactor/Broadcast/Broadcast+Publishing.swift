public import ReactorMachines
public import ReactorRuntime
import Synchronization

/// The publisher's side: an element is delivered to the readers that wait for it, and appended to
/// the list for the others.
extension Broadcast {
  /// What is to be done outside the lock once an element has been published.
  @usableFromInline
  struct Delivery: Sendable {
    @usableFromInline let element: Numbered<Element>?
    @usableFromInline var consumers: [Consumer] = []
    /// Subscribers with a filter or a limit, which check the element.
    @usableFromInline var filteringSubscribers: [Int] = []
    @usableFromInline var released = SmallList<Numbered<Element>>()

    @inlinable
    init(_ element: Numbered<Element>? = nil) { self.element = element }
  }

  /// Publishes an element; returns before anything has read it.
  ///
  /// - Parameters:
  ///   - element: The element; nothing is published once the broadcast is finished.
  ///   - number: Its number: the version of a state; by default, its position.
  ///   - subscriber: The number of the last subscriber that receives it; later ones do not.
  @inlinable
  func publish(
    _ element: Element, number: UInt64? = nil, toSubscribersUpTo subscriber: UInt64 = .max
  ) {
    deliver(enqueue(element, number: number, toSubscribersUpTo: subscriber))
  }

  /// As `publish`, for a caller that holds a lock of its own; it calls `deliver` afterwards.
  @inlinable @inline(__always)
  func enqueue(
    _ element: Element, number: UInt64? = nil, toSubscribersUpTo subscriber: UInt64 = .max
  ) -> Delivery {
    change { $0.publish(element, number, upTo: subscriber) }
  }

  /// Publishes an element, with the number after the last one.
  func publishNext(_ element: Element) {
    deliver(change { $0.publish(element, ($0.latest ?? 0) + 1, upTo: .max) })
  }

  /// Offers the source's newest element to subscribers that are new, or have requested it.
  ///
  /// - Parameters:
  ///   - element: The element; evaluated only if it is needed.
  ///   - number: Its number.
  ///   - asking: The subscriber that has requested it, if one has.
  /// - Returns: What is to be delivered.
  func offer(
    _ element: @autoclosure () -> Element, number: UInt64, to asking: Int? = nil
  ) -> Delivery {
    change { contents in
      guard contents.machine.hasNewSubscribers || asking != nil, !contents.machine.isFinished else {
        return Delivery()
      }
      return contents.offer(element(), number, to: asking)
    }
  }

  /// Ends the elements of every subscriber, after those that it has not read.
  ///
  /// - Parameter last: The last element, for those that have not read it, and its number.
  @usableFromInline
  func finish(with last: (element: Element, number: UInt64)? = nil) {
    let (delivery, ended) = change { contents -> (Delivery, [Consumer]) in
      guard !contents.machine.isFinished else { return (Delivery(), []) }
      var delivery = Delivery()
      if let last {
        contents.machine.keepsNewest = true
        delivery = contents.offer(last.element, last.number)
      }
      let slots = contents.machine.finish()
      return (delivery, slots.flatMap { contents.takeWaiters($0) })
    }
    deliver(delivery)
    resume(ended, .end)
  }

  /// Keeps the newest element for later subscribers from now on.
  func keepNewest() { change { $0.machine.keepsNewest = true } }

  /// Stops keeping the newest element, unless there is demand for it.
  ///
  /// - Returns: Whether there is demand for it.
  func stopKeepingUnlessNeeded() -> (hasDemand: Bool, released: SmallList<Numbered<Element>>) {
    change { contents in
      if contents.machine.hasDemand { return (true, SmallList()) }
      contents.machine.keepsNewest = false
      return (false, contents.trim())
    }
  }

  /// Sets whether every element is to be published from now on, even if no subscriber needs it.
  func needEveryElement(_ isNeeded: Bool) { change { $0.machine.isNeededOutside = isNeeded } }

  // MARK: Outside the lock

  @inlinable
  func deliver(_ delivery: Delivery) {
    if let element = delivery.element, !delivery.consumers.isEmpty {
      resume(delivery.consumers, .deliver(element, skipped: 0))
    }
    if !delivery.filteringSubscribers.isEmpty { examine(delivery.filteringSubscribers) }
    withExtendedLifetime(delivery) {}
  }

  /// The number of readers that a publisher resumes or checks itself; if there are more, a task
  /// does.
  @usableFromInline static var maxDirectResumptions: Int { 64 }

  @inlinable
  func resume(_ consumers: [Consumer], _ step: Step) {
    guard consumers.count <= Self.maxDirectResumptions else { return resumeLater(consumers, step) }
    for consumer in consumers { consumer.resume(returning: step) }
  }

  @usableFromInline
  func resumeLater(_ consumers: [Consumer], _ step: Step) {
    PipelineTasks.detached {
      for (index, consumer) in consumers.enumerated() {
        consumer.resume(returning: step)
        // Other tasks need the thread, too.
        if index % 1024 == 1023 { await Task.yield() }
      }
    }
  }
}

extension Broadcast.Contents {
  @usableFromInline typealias Delivery = Broadcast.Delivery

  /// The newest element, if it is kept.
  var newest: Numbered<Element>? { elements.isEmpty ? nil : elements[elements.count - 1] }

  @inlinable @inline(__always)
  mutating func publish(
    _ element: Element, _ number: UInt64?, upTo subscriber: UInt64
  ) -> Delivery {
    guard !machine.isFinished else { return Delivery() }
    let element = Numbered(number ?? machine.end, element)
    latest = element.number
    elements.append(element)
    let receivers = machine.publish(upTo: subscriber)
    var delivery = Delivery(element)
    if !receivers.isEmpty { assign(element, to: receivers, &delivery) }
    delivery.released = trim()
    return delivery
  }

  /// Publishes an element if it is newer than the last one; otherwise offers it again.
  mutating func offer(_ element: Element, _ number: UInt64, to asking: Int? = nil) -> Delivery {
    guard let latest, latest >= number else { return publish(element, number, upTo: .max) }
    return offerAgain(Numbered(number, element), to: asking)
  }

  mutating func offerAgain(_ newest: Numbered<Element>, to asking: Int? = nil) -> Delivery {
    let receivers = machine.offerAgain(to: asking)
    if elements.isEmpty, machine.firstRetained < machine.end { elements.append(newest) }
    var delivery = Delivery(newest)
    assign(newest, to: receivers, &delivery)
    delivery.released = trim()
    return delivery
  }

  @inlinable
  mutating func assign(
    _ element: Numbered<Element>, to receivers: [BroadcastMachine.Receiver],
    _ delivery: inout Delivery
  ) {
    for receiver in receivers {
      let slot = receiver.subscriber
      switch receiver.claim {
      case .reader:
        guard let waiter = subscribers[slot].waiters.popFirst() else { continue }
        subscribers[slot].seen = element.number
        delivery.consumers.append(waiter.element)
      case .buffer(let drop):
        if let lost = buffer(element, for: slot, drop) { delivery.released.append(lost) }
      case nil: delivery.filteringSubscribers.append(slot)
      }
    }
  }

  /// - Returns: The element that the subscriber loses for it, to be released outside the lock.
  @usableFromInline
  mutating func buffer(
    _ element: Numbered<Element>, for slot: Int, _ drop: BroadcastMachine.BufferDrop
  ) -> Numbered<Element>? {
    subscribers[slot].buffer.putBack(element)
    return switch drop {
    case .none: nil
    case .oldest: subscribers[slot].buffer.popFirst(keepingCapacityFor: 64)
    case .newest: subscribers[slot].buffer.removeLast(1).first
    }
  }

  mutating func takeWaiters(_ slot: Int) -> [Broadcast.Consumer] {
    defer { subscribers[slot].waiters = IdentityList() }
    return subscribers[slot].waiters.all.map(\.element)
  }
}
