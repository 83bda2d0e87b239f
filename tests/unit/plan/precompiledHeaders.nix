{ plan, ... }:
let
  inherit (plan) precompiledHeaders;
  torch = {
    name = "torch/all.h";
    quoted = false;
    isInside = false;
    owners = [ "torch" ];
  };
  candidate =
    changes:
    precompiledHeaders.findPrecompiledHeader (
      {
        first = torch;
        componentFlags = [ ];
        flags = [ "-O3" ];
      }
      // changes
    );
  withFlag = flag: candidate { componentFlags = [ flag ]; };
  made = {
    header = "torch/all.h";
    flags = [ "-O3" ];
    unitFlags = [
      "-isystem"
      "@build/precompiled@"
      "-Winvalid-pch"
      "-Wno-error=invalid-pch"
    ];
  };
  units =
    count:
    builtins.genList (number: {
      source = "${toString number}.cpp";
      compiler = "g++";
      precompiled = made;
    }) count;
  none = {
    source = "plain.cpp";
    compiler = "g++";
    precompiled = null;
  };
  chosen = wanted: list: map (unit: unit.precompiled) (precompiledHeaders.choosePrecompiledHeaders wanted list);
in
{
  findPrecompiledHeader = {
    firstOfTorch = {
      expr = candidate { };
      expected = made;
    };
    firstOfAnother = {
      expr = candidate {
        first = torch // {
          name = "vector";
          owners = [ "toolchain" ];
        };
      };
      expected = null;
    };
    # It may be the kernel's own.
    quoted = {
      expr = candidate { first = torch // { quoted = true; }; };
      expected = null;
    };
    insideOfAHeader = {
      expr = (candidate { first = torch // { isInside = true; }; }).unitFlags;
      expected = [
        "-include"
        "@build/precompiled@/first.h"
        "-Winvalid-pch"
        "-Wno-error=invalid-pch"
      ];
    };
    nothing = {
      expr = candidate { first = null; };
      expected = null;
    };
    plainFlags = {
      expr = candidate {
        componentFlags = [
          "-O1"
          "-DWORDS=a/b, c"
          "-march=x86-64-v3"
          "-ffp-contract=fast"
          "-Wall"
          "-std=gnu++20"
        ];
      };
      expected = made;
    };
    debugInformation = {
      expr = withFlag "-g1";
      expected = null;
    };
    filesOfTheKernel = {
      expr = map withFlag [
        "-include"
        "-Iother"
        "-fprofile-use=profiles/all"
        "-Wp,-imacros,all.h"
        "@flags"
      ];
      expected = [
        null
        null
        null
        null
        null
      ];
    };
  };
  choosePrecompiledHeaders = {
    fewUnits = {
      expr = chosen null (units 7);
      expected = map (_: null) (units 7);
    };
    manyUnits = {
      expr = chosen null (units 8 ++ [ none ]);
      expected = map (_: made) (units 8) ++ [ null ];
    };
    # One would have to be made for each.
    manyOfSeveralKinds = {
      expr = chosen null (
        units 7
        ++ [
          {
            compiler = "g++";
            precompiled = made // {
              flags = [ "-O1" ];
            };
          }
        ]
      );
      expected = map (_: null) (units 8);
    };
    whereverItCanBe = {
      expr = chosen true (units 1 ++ [ none ]);
      expected = [
        made
        null
      ];
    };
    nowhere = {
      expr = chosen false (units 8);
      expected = map (_: null) (units 8);
    };
  };
}
