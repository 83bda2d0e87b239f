"""A kernel of steps that take no compiler, with the names that steps have."""

from pathlib import Path

from tests.cli.fake_kernel import SYSTEM, FakeKernel

VARIANT = f"torch213-cxx11-cpu-{SYSTEM}"
OBJECTS = 6
# The steps that a machine has to do: the tool, the objects, the variant, the bundle.
STEPS = OBJECTS + 3

# An object's work: to say that it is there, then to wait for `Machine.go` or the machine's end.
WAIT = "p=/shared/part${toString n}; echo >$p; while [ -e $p -a ! -e /shared/go ]; do sleep 1; done"

TEXT = """
(builtins.genList (n: derivation {
  name = "k-cpu-part${toString n}.cpp.o";
  system = "@system@";
  builder = "/bin/sh";
  args = [ "-c" "@work@; echo @salt@ ${toString n} @edit@ > $out" ];
  tool = derivation {
    name = "tool-1.0";
    system = "@system@";
    builder = "/bin/sh";
    args = [ "-c" "echo @salt@ > $out" ];
  };
}) @objects@)"""


class MadeUp(FakeKernel):
    """The kernel `k`, with a tool, objects, a variant, a bundle."""

    def make(self, work: str = ":", edit: str = "", objects: int = OBJECTS) -> Path:
        """Write it; `work` is what each object takes, `edit` makes all objects other ones."""
        text = TEXT.replace("@system@", SYSTEM).replace("@salt@", self.salt)
        text = text.replace("@work@", work).replace("@edit@", edit)
        self._variants = []
        self.add(VARIANT, sources=text.replace("@objects@", str(objects)))
        return self.write()
