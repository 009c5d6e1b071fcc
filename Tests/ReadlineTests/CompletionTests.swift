import ProgramTesting
import Testing
import TestLimits

@testable import Readline

@Suite(.bounded) struct CompletionTests {
  @Test func `Tab completes the only word that fits`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("li\t")
    try await session.terminal.expect(lastLine: "ask> list ", cursorAt: 10)
  }

  @Test func `Tab shows the words that fit, and completes what they share`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("list m\t\t")
    try await session.terminal.expect("milk  mint")
    try await session.terminal.expect(lastLine: "ask> list mi", cursorAt: 12)
  }

  @Test func `the program sees the line before the word`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("list é\t")
    try await session.terminal.expect(lastLine: "ask> list été ", cursorAt: 14)
  }

  @Test func `file names are not offered`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("/et\tx")
    try await session.terminal.expect(lastLine: "ask> /etx", cursorAt: 9)
  }

  @Test func `the program decides where the word begins, and what it becomes`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("pick 2\t")
    try await session.terminal.expect(lastLine: "ask> pick \"wide 語\" ", cursorAt: 20)
    await session.terminal.send("\r")
    try await session.terminal.expect(lastLines: "text 16: pick \"wide 語\"", "ask> ")
  }

  @Test func `a candidate may leave its word open`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("pick 1\t")
    try await session.terminal.expect(lastLine: "ask> pick \"é accent", cursorAt: 19)
  }

  @Test func `candidates are listed by their labels, in the program's order`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("pick \t")
    try await session.terminal.expect("2. wide 語   1. é accent")
    try await session.terminal.expect(lastLine: "ask> pick \"", cursorAt: 11)
  }

  @Test func `text behind the cursor stays`() async throws {
    let session = try await FixtureSession()
    await session.terminal.send("x\u{1}list m\t")
    try await session.terminal.expect("milk  mint")
    await session.terminal.send("l\t")
    try await session.terminal.expect(lastLine: "ask> list milk x", cursorAt: 15)
  }
}
