@_exported public import ProgramTesting
