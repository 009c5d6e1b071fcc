import CProcess
import Reactor

// What a reactor that does nothing weighs, by what it has done before: bytes of the heap beside its
// state, and resident ones. Each story in a process of its own, so that nothing of another counts.
//
//     Weights          the stories' names
//     Weights <name>   heap and resident bytes of one such reactor

@main
struct Weights {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let name = arguments.first, let story = Story.all.first(where: { $0.name == name }) else {
      for story in Story.all { print(story.name) }
      return
    }
    let (heap, resident) = await story.weigh(Int(arguments.dropFirst().first ?? "") ?? 10_000)
    print(heap, resident)
  }
}
