import Glibc

/// `exit(0)`, under a name that does not hide anything in a test.
func endProcess() -> Never { exit(0) }
