import Testing
import TestLimits

@testable import Reactor

@Suite(.bounded) struct ActionBufferTests {
  @Test func `what is appended comes out in order, however it grows`() {
    var buffer = ActionBuffer()
    for number in 0..<1_000 { buffer.append(number) }
    #expect(buffer.count == 1_000)
    #expect(buffer.takeAll(Int.self) == Array(0..<1_000))
    #expect(buffer.capacity == 0)
  }

  @Test func `it grows while some have been taken`() {
    var buffer = ActionBuffer()
    defer { buffer.free() }
    var taken: [Int] = []
    for number in 0..<1_000 {
      buffer.append(number)
      if number % 3 == 0, let first = buffer.popFirst(Int.self) { taken.append(first) }
    }
    while let first = buffer.popFirst(Int.self) { taken.append(first) }
    #expect(taken == Array(0..<1_000))
  }

  @Test func `used again, it keeps its memory`() {
    var buffer = ActionBuffer()
    defer { buffer.free() }
    for number in 0..<10 { buffer.append(number) }
    while buffer.popFirst(Int.self) != nil {}
    let capacity = buffer.capacity
    buffer.rewind()
    for number in 0..<10 { buffer.append(number) }
    #expect(buffer.capacity == capacity)
    #expect(buffer.count == 10)
  }

  @Test func `what is taken out of it is held by nobody else`() {
    final class Handle: Sendable {}
    var buffer = ActionBuffer()
    defer { buffer.free() }
    weak var first: Handle?
    do {
      let handle = Handle()
      first = handle
      buffer.append(handle)
      for _ in 0..<20 { buffer.append(Handle()) }
    }
    #expect(first != nil)
    _ = buffer.popFirst(Handle.self)
    #expect(first == nil)
    _ = buffer.takeAll(Handle.self)
  }

  @Test func `actions of any alignment stand where they may`() {
    var buffer = ActionBuffer()
    defer { buffer.free() }
    for number in 0..<20 { buffer.append(SIMD16<Double>(repeating: Double(number))) }
    let address = buffer.header.map {
      UInt(bitPattern: ActionBuffer.actions(behind: $0, SIMD16<Double>.self))
    }
    #expect(address.map { $0 % UInt(MemoryLayout<SIMD16<Double>>.alignment) } == 0)
    #expect(buffer.takeAll(SIMD16<Double>.self).map { $0[15] } == (0..<20).map(Double.init))
  }

  @Test func `actions without a size are counted`() {
    var buffer = ActionBuffer()
    for _ in 0..<100 { buffer.append(()) }
    #expect(buffer.takeAll(Void.self).count == 100)
  }
}
