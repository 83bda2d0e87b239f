{ config, ... }@library:
let
  inherit (config.sectionRules) describeDifferences joinFields rules;
  one = {
    at = "kernel.one";
    depends = [ "torch" ];
    include = [ "csrc" ];
    flags = { cxx-flags = [ "-DA" ]; cuda-flags = [ "-DB" ]; };
    targets = [ "8.0" "9.0" ];
    # A key of which no rule says how it is joined.
    unrolls = false;
  };
  other = {
    at = "kernel.other";
    depends = [ "torch" "cutlass_4_0" ];
    include = [ "csrc" "include" ];
    flags = { cxx-flags = [ "-DA" ]; cuda-flags = [ "-DC" ]; };
    targets = [ "9.0" "10.0" ];
    unrolls = true;
  };
in
{
  # A rule for a field that no section has would be a mistake. The plan adds three fields.
  rules.ofFields = [
    (builtins.attrNames (removeAttrs rules (builtins.attrNames (import ../kernels/section.nix library { }))))
    [ "flagReadings" "listed" "reached" ]
  ];
  joinFields = {
    all = [
      (joinFields [ one (other // { unrolls = false; }) ])
      {
        at = "kernel.one";
        depends = [ "torch" "cutlass_4_0" ];
        include = [ "csrc" "include" ];
        flags = { cxx-flags = [ "-DA" ]; cuda-flags = [ "-DB" "-DC" ]; };
        targets = [ "8.0" "9.0" "10.0" ];
        unrolls = false;
      }
    ];
  };
  describeDifferences = {
    # What other dependencies and targets add to the code of the other section is harmless.
    all = [ (describeDifferences one other) { joined = [ "cuda-flags" "include" ]; refused = [ "unrolls" ]; } ];
    same = [ (describeDifferences one (one // { at = "kernel.other"; })) { joined = [ ]; refused = [ ]; } ];
  };
}
