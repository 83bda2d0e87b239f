# The words for how far a row was tested, the strongest first. `obstacle` is the reason why the pinned versions
# cannot have been tested so far, or null; `made` are the versions that a test at this word depends on.
let
  inherit (builtins)
    attrValues
    elem
    filter
    head
    ;

  firstReason =
    reasons:
    let
      found = filter (reason: reason != null) reasons;
    in
    if found == [ ] then null else head found;

  unless = isTrue: reason: if isTrue then null else reason;

  compileObstacle =
    unreached: row:
    let
      missing = filter (host: elem host unreached) (attrValues row.hosts);
    in
    firstReason [
      row.unbuilt
      (unless row.isCompiled "its kernels have no compiled code")
      (unless (missing == [ ]) "${head missing} was never reached")
    ];

  compilers = [
    "gcc"
    "toolkit"
  ];
in
[
  {
    name = "run on a GPU";
    meaning = "a variant with which its own tests have passed, on a device that it is for";
    obstacle =
      unreached: row:
      firstReason [
        (compileObstacle unreached row)
        (unless (!row.isEverywhere) "it is for the processor")
      ];
    made = compilers;
  }
  {
    name = "run on a CPU";
    meaning = "a variant with which its own tests have passed";
    obstacle =
      unreached: row:
      firstReason [
        (compileObstacle unreached row)
        (unless row.isEverywhere "it is for another device")
      ];
    made = compilers;
  }
  {
    name = "imported";
    meaning = "a variant that has passed all checks; the public client has loaded it, without a device";
    obstacle =
      unreached: row:
      firstReason [
        (compileObstacle unreached row)
        row.importObstacle
      ];
    made = compilers ++ [ "python" ];
  }
  {
    name = "assembled";
    meaning = "a variant without compiled code, put together and with its files checked, but not imported";
    obstacle = _: row: firstReason [
      row.unbuilt
      (unless (!row.isCompiled) "its kernels have compiled code")
    ];
    made = [ ];
  }
  {
    name = "linked";
    meaning = "an extension that has passed the ABI check";
    obstacle = compileObstacle;
    made = compilers;
  }
  {
    name = "compiled";
    meaning = "objects of units";
    obstacle = compileObstacle;
    made = compilers;
  }
  {
    name = "instantiated";
    meaning = "derivations, down to the sources; nothing is built";
    obstacle = _: row: row.unbuilt;
    made = [ ];
  }
  {
    name = "evaluated";
    meaning = "a plan: the units, their command lines, the link";
    obstacle = _: _: null;
    made = [ ];
  }
]
