{ precompiledHeaders, ... }:
let
  torch = {
    name = "torch/all.h"; quoted = false; isInside = false; owners = [ "torch" ];
  };
  candidate =
    changes:
    precompiledHeaders.findPrecompiledHeader ({ first = torch; sectionFlags = [ ]; flags = [ "-O3" ]; } // changes);
  withFlag = flag: candidate { sectionFlags = [ flag ]; };
  made = {
    header = "torch/all.h";
    flags = [ "-O3" ];
    unitFlags = [ "-isystem" "@build/precompiled@" "-Winvalid-pch" "-Wno-error=invalid-pch" ];
  };
  units =
    count:
    builtins.genList (number: { source = "${toString number}.cpp"; compiler = "g++"; precompiled = made; }) count;
  none = { source = "plain.cpp"; compiler = "g++"; precompiled = null; };
  chosen = wanted: list: map (unit: unit.precompiled) (precompiledHeaders.choosePrecompiledHeaders wanted list);
in
{
  findPrecompiledHeader = {
    firstOfTorch = [ (candidate { }) made ];
    firstOfAnother = [ (candidate { first = torch // { name = "vector"; owners = [ "toolchain" ]; }; }) null ];
    # It may be the kernel's own.
    quoted = [ (candidate { first = torch // { quoted = true; }; }) null ];
    insideOfAHeader = [
      (candidate { first = torch // { isInside = true; }; }).unitFlags
      [ "-include" "@build/precompiled@/first.h" "-Winvalid-pch" "-Wno-error=invalid-pch" ]
    ];
    nothing = [ (candidate { first = null; }) null ];
    plainFlags = [
      (candidate {
        sectionFlags = [ "-O1" "-DWORDS=a/b, c" "-march=x86-64-v3" "-ffp-contract=fast" "-Wall" "-std=gnu++20" ];
      })
      made
    ];
    debugInformation = [ (withFlag "-g1") null ];
    filesOfTheKernel = [
      (map withFlag [ "-include" "-Iother" "-fprofile-use=profiles/all" "-Wp,-imacros,all.h" "@flags" ])
      [ null null null null null ]
    ];
  };
  choosePrecompiledHeaders = {
    fewUnits = [ (chosen null (units 7)) (map (_: null) (units 7)) ];
    manyUnits = [ (chosen null (units 8 ++ [ none ])) (map (_: made) (units 8) ++ [ null ]) ];
    # One would have to be made for each.
    manyOfSeveralKinds = [
      (chosen null (units 7 ++ [ { compiler = "g++"; precompiled = made // { flags = [ "-O1" ]; }; } ]))
      (map (_: null) (units 8))
    ];
    whereverItCanBe = [ (chosen true (units 1 ++ [ none ])) [ made null ] ];
    nowhere = [ (chosen false (units 8)) (map (_: null) (units 8)) ];
  };
}
