{ includes, ... }:
let
  five = ../../golden/five;
  graph = includes.graph {
    root = five;
    folders = [ "include" ];
    start = [
      "five_cpu/five.cpp"
      "five_cpu/plain.c"
      "torch-ext/torch_binding.cpp"
    ];
  };
  namesOf = text: map (include: include.name) (includes.scan text).names;
in
{
  scan = {
    bothForms = {
      expr = (includes.scan "#include <vector>\n  #  include \"a/b.h\" // why\n").names;
      expected = [
        {
          quoted = false;
          name = "vector";
        }
        {
          quoted = true;
          name = "a/b.h";
        }
      ];
    };
    hasInclude = {
      expr = namesOf "#if __has_include(<cuda_fp8.h>)\n#endif\n";
      expected = [ "cuda_fp8.h" ];
    };
    nextAndImport = {
      expr = namesOf "#include_next <math.h>\n#import <Foundation/Foundation.h>\n";
      expected = [
        "math.h"
        "Foundation/Foundation.h"
      ];
    };
    notInTheMiddleOfALine = {
      expr = namesOf "// see #include <vector>\n";
      expected = [ ];
    };
    windowsLines = {
      expr = namesOf "#include <a.h>\r\n#include <b.h>\r\n";
      expected = [
        "a.h"
        "b.h"
      ];
    };
    computed = {
      expr = (includes.scan "#include CONFIG_HEADER\n").computed;
      expected = true;
    };
    literalIsNotComputed = {
      expr = (includes.scan "#include <vector>\n").computed;
      expected = false;
    };
    nameUnused = {
      expr = (includes.scan "int x;").extensionName;
      expected = "none";
    };
    nameThroughMacros = {
      expr =
        (includes.scan "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {}\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n")
        .extensionName;
      expected = "late";
    };
    nameOtherwise = {
      expr = (includes.scan "TORCH_LIBRARY(TORCH_EXTENSION_NAME, ops) {}\n").extensionName;
      expected = "own";
    };
    nameInStableForm = {
      expr = (includes.scan "STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {}\n").extensionName;
      expected = "own";
    };
    registers = {
      expr = (includes.scan "REGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n").registersModule;
      expected = true;
    };
  };
  graph = {
    throughIncludeFolder = {
      expr = graph."five_cpu/five.cpp".direct;
      expected = [ "include/shared.h" ];
    };
    relativeToTheFile = {
      expr = builtins.elem "include/shared.h" graph."five_cpu/plain.c".direct;
      expected = true;
    };
    foreignNames = {
      expr = graph."five_cpu/five.cpp".foreign;
      expected = [
        "ATen/Parallel.h"
        "omp.h"
      ];
    };
  };
  within = {
    itsOwnFolders = {
      expr = (includes.within [ "include" ] graph)."five_cpu/five.cpp".direct;
      expected = [ "include/shared.h" ];
    };
    noOther = {
      expr = (includes.within [ ] graph)."five_cpu/five.cpp".foreign;
      expected = [
        "ATen/Parallel.h"
        "omp.h"
        "shared.h"
      ];
    };
    relativeToTheFile = {
      expr = (includes.within [ ] graph)."torch-ext/torch_binding.cpp".direct;
      expected = [ "torch-ext/torch_binding.h" ];
    };
  };
  reach = {
    filesItselfFirst = {
      expr = (includes.reach graph "torch-ext/torch_binding.cpp").files;
      expected = [
        "torch-ext/torch_binding.cpp"
        "torch-ext/torch_binding.h"
      ];
    };
    foreignOfAll = {
      expr = (includes.reach graph "torch-ext/torch_binding.cpp").foreign;
      expected = [
        "torch/library.h"
        "registration.h"
        "cstdint"
      ];
    };
    useOfTheName = {
      expr = (includes.reach graph "torch-ext/torch_binding.cpp").extensionName;
      expected = "late";
    };
  };
}
