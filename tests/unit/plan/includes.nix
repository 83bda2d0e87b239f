{ includes, ... }:
let
  namesOf = text: map (include: include.name) (includes.read text).names;
in
{
  read = {
    bothForms = {
      expr = (includes.read "#include <vector>\n  #  include \"a/b.h\" // why\n").names;
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
      expr = (includes.read "#include CONFIG_HEADER\n").computed;
      expected = true;
    };
    literalIsNotComputed = {
      expr = (includes.read "#include <vector>\n").computed;
      expected = false;
    };
    nameUnused = {
      expr = (includes.read "int x;").extensionName;
      expected = "none";
    };
    nameThroughMacros = {
      expr =
        (includes.read "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {}\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n")
        .extensionName;
      expected = "late";
    };
    nameOtherwise = {
      expr = (includes.read "TORCH_LIBRARY(TORCH_EXTENSION_NAME, ops) {}\n").extensionName;
      expected = "own";
    };
    nameInStableForm = {
      expr = (includes.read "STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {}\n").extensionName;
      expected = "own";
    };
    registers = {
      expr = (includes.read "REGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n").registersModule;
      expected = true;
    };
  };
}
