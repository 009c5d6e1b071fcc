// Not covered by the tests on Linux, where there is no SwiftUI.
#if canImport(SwiftUI)
  public import SwiftUI

  extension ObservedProperty {
    /// The property as a SwiftUI binding.
    public var binding: Binding<Value> {
      Binding(get: { value }, set: { value = $0 })
    }
  }
#endif
