"""The verbs of the `sandbox` command, one file each.

A module here is a verb: HELP (one line), EXAMPLES (commands to copy), `configure(parser)` and
`run(arguments) -> exit code`. It is found by being here; it imports what is heavy only in `run`.
"""
