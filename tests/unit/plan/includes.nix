{ backends, includes, ... }:
let
  needsName = text: (includes.readIncludes text).needsName;
  namesOf = text: map (include: include.name) (includes.readIncludes text).names;
in
{
  readIncludes = {
    beginsWithInclude = [
      (map (text: (includes.readIncludes text).beginsWithInclude) [
        "// a\n/* b\n*/\n#pragma once\n\n # include <a.h>\nint x;\n"
        "#ifndef A_H\n#define A_H\n#include <a.h>\n#endif\n"
        "#ifndef A_H\n#define B_H\n#include <a.h>\n#endif\n"
        "#define A 1\n#include <a.h>\n"
        "#if X\n#include <a.h>\n#endif\n"
        "int x; // y\n#include <a.h>\n"
        "/*\n#include <b.h>\n*/\n#include <a.h>\n"
        "/* x */\n#include <a.h>\n"
        "auto x = R\"(\n// a)\";\n#include <a.h>\n"
        "// /*\n#define A 1\n// */\n#include <a.h>\n"
        "// a \\\n/*\n#define A 1\n*/\n#include <a.h>\n"
        "/* a */ int x; /* b */\n#include <a.h>\n"
      ])
      [ true true false false false false false true false false false false ]
    ];
    bothForms = [
      (includes.readIncludes "#include <vector>\n  #  include \"a/b.h\" // why\n").names
      [ { quoted = false; name = "vector"; } { quoted = true; name = "a/b.h"; } ]
    ];
    hasInclude = [ (namesOf "#if __has_include(<cuda_fp8.h>)\n#endif\n") [ "cuda_fp8.h" ] ];
    nextAndImport = [
      (namesOf "#include_next <math.h>\n#import <Foundation/Foundation.h>\n")
      [ "math.h" "Foundation/Foundation.h" ]
    ];
    # Visual Studio writes this mark.
    afterAByteOrderMark = [ (namesOf (builtins.fromJSON "\"\\ufeff#include \\\"a.h\\\"\\n\"")) [ "a.h" ] ];
    behindComments = [ (namesOf "/* x */ #include \"a.h\"\n/*\n*/#include <b.h>\nint x; /* y */\n") [ "a.h" "b.h" ] ];
    # Nix's regex matcher would exhaust its stack.
    behindVeryManyBlanks = [
      (let
        repeat =
          text: number:
          if number == 0 then text else repeat (text + text) (number - 1);
        blanks = repeat " \t" 18;
        name = repeat "x" 18;
      in
      map namesOf [
        "int x;\n${blanks}#${blanks}include${blanks}\"a.h\"\n"
        "${repeat "/* x */\n" 18}#include <b.h>\n"
        "${repeat " \\\n" 18}#include <c.h>\n"
        "#include <d.h> // \"${name}\"\n#if 0\n#error \"${name}\n#endif\n"
        "int table[] = {${repeat "0, " 18}};\n#include <e.h>\n"
      ])
      [ [ "a.h" ] [ "b.h" ] [ "c.h" ] [ "d.h" ] [ "e.h" ] ]
    ];
    digraph = [ (namesOf "%:include \"a.h\"\n") [ "a.h" ] ];
    overSeveralLines = [ (namesOf "#\\\ninclude \"a.h\"\n#inc\\\r\nlude \\\n<b.h>\n") [ "a.h" "b.h" ] ];
    formFeed = [ (namesOf (builtins.fromJSON "\"\\f#\\u000binclude <a.h>\\n\"")) [ "a.h" ] ];
    # A computed include, whose name may be any.
    splitInOtherWays = [
      (map (text: (includes.readIncludes text).computed) [
        "# /* x */ include \"a.h\"\n"
        "# /* \"x\" */ include \"a.h\"\n"
        "#include /* x */ \"a.h\"\n"
        "#inc\\ \nlude \"a.h\"\n"
        "#include \\  \n\"a.h\"\n"
        "#define HAS __has_include\n#if HAS(\"a.h\")\n#endif\n"
        "#define HAS(x) __has_include(x)\n"
      ])
      [ true true true true true true true ]
    ];
    askingWhetherThereIsATest = [
      (includes.readIncludes "#ifdef __has_include\n#if defined(__has_include) \\\n && __has_include(<a.h>)\n#endif\n").computed
      false
    ];
    behindARenamedTest = [ (namesOf "#define HAS __has_include\n#include <a.h>\n") [ "a.h" ] ];
    notInTheMiddleOfALine = [ (namesOf "// see #include <vector>\n") [ ] ];
    windowsLines = [ (namesOf "#include <a.h>\r\n#include <b.h>\r\n") [ "a.h" "b.h" ] ];
    computed = [ (includes.readIncludes "#include CONFIG_HEADER\n").computed true ];
    literalIsNotComputed = [ (includes.readIncludes "#include <vector>\n").computed false ];
    nameThroughMacros = [
      (map needsName [
        "int x;"
        "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {}\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n"
        "STABLE_TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {}\n"
        "TORCH_LIBRARY_FRAGMENT_EXPAND(TORCH_EXTENSION_NAME, ops) {}\n"
      ])
      [ false false false false ]
    ];
    # A text can hide a use from a pattern, so only texts without any other use count as such.
    nameOtherwise = [
      (map (text: needsName "REGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n${text}") [
        "TORCH_LIBRARY(TORCH_EXTENSION_NAME, ops) {}\n"
        "TORCH_LIBRARY(TORCH_EXTEN\\\nSION_NAME, ops) {}\n"
        "REGISTER_EXTENSION(_my_name)\n"
        "#define TORCH_LIBRARY_EXPAND(A, B)\n"
        "#define STABLE_TORCH_LIBRARY_EXPAND(A, B)\n"
        "#/**/define TORCH_LIBRARY_EXPAND(A, B)\n"
        "#undef REGISTER_EXTENSION\n"
        "#ifdef TORCH_EXTENSION_NAME\n"
        "// TORCH_EXTENSION_NAME\n"
      ])
      (builtins.genList (_: true) 9)
    ];
    # The preprocessor joins lines before it looks for words.
    wordsOnTwoLines = [
      (let
        facts = includes.readIncludes "int arch = __CUDA_AR\\\nCH__;\nlong list[] = {__CUDA_ARCH\\\r\n_LIST__};\n";
      in
      [ facts.seesPass facts.seesTargets ])
      [ true true ]
    ];
    lambdasForTheGpu = [
      (map (text: (includes.readIncludes text).mayNeedOptionalFlags) [
        "auto f = [=] __device__ (int i) { return i; };"
        "auto f = [=](int i) { return i; };"
      ])
      [ true false ]
    ];
    # The smallest text with each sign; each sign has one.
    signs = [
      (let
        inherit (backends.all) cuda;
        inherit (cuda.languages.cu) optionalFlags;
        judge = field: listed: texts: {
          unseen = builtins.filter (sign: !(includes.readIncludes texts.${sign}).${field}) (builtins.attrNames texts);
          withoutText = builtins.filter (sign: !texts ? ${sign}) listed;
          withoutSign = builtins.filter (sign: !builtins.elem sign listed) (builtins.attrNames texts);
        };
      in
      [
        (judge "seesPass" cuda.passUse {
          "CUTE_ARCH_" = "#ifdef CUTE_ARCH_MMA_SM90A_ENABLED";
          "CUTLASS_ARCH_" = "#if CUTLASS_ARCH_MMA_SM80_SUPPORTED";
          "__CUDA_ARCH_" = "#if __CUDA_ARCH_FEAT_SM90_ALL";
        })
        (judge "seesTargets" cuda.targetUse.words {
          "__CUDA_ARCH_LIST__" = "int list[] = {__CUDA_ARCH_LIST__};";
          "cub::" = "cub::Traits<int> traits;";
          "cuda::experimental::" = "cuda::experimental::stream stream;";
          "cuda::std::" = "cuda::std::array<int, 2> both;";
          "thrust::" = "thrust::plus<int> plus;";
        })
        (judge "seesTargets" cuda.targetUse.headers {
          "ATen/cuda/cub" = "#include <ATen/cuda/cub.cuh>";
          "ATen/cuda/jiterator" = "#include <ATen/cuda/jiterator.h>";
          "ATen/native/" = "#include <ATen/native/cuda/Loops.cuh>";
          "c10/cuda/CUDAAlgorithm" = "#include <c10/cuda/CUDAAlgorithm.h>";
          "cub/" = "#include <cub/cub.cuh>";
          "cuda/" = "#include <cuda/barrier>";
          "thrust/" = "#include <thrust/sort.h>";
        })
        (judge "mayNeedOptionalFlags" optionalFlags.words {
          "EXTENDED_LAMBDA" = "#ifdef __CUDACC_EXTENDED_LAMBDA__";
          "GPU_LAMBDA" = "auto f = [] GPU_LAMBDA() { return 1; };";
          "] __device__" = "auto f = [] __device__() { return 1; };";
          "] __host__" = "auto f = [] __host__() { return 1; };";
          "]__device__" = "auto f = []__device__() { return 1; };";
          "]__host__" = "auto f = []__host__() { return 1; };";
          "_GLIBCXX_" = "#if _GLIBCXX_RELEASE > 11";
          "__cpp_lib_" = "#ifdef __cpp_lib_span";
          "__nv_hdl_" = "__nv_hdl_wrapper_t<int> f;";
          "__nv_is_extended_" = "bool is = __nv_is_extended_device_lambda_closure_type(T);";
          "nvstd::" = "nvstd::function<void()> f;";
        })
      ])
      (builtins.genList (_: { unseen = [ ]; withoutText = [ ]; withoutSign = [ ]; }) 4)
    ];
    operators = [
      (map (text: (includes.readIncludes text).mayDefineOperators) [
        "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {}"
        "ops.def(\"answer() -> int\");"
        "int64_t answer();"
      ])
      [ true true false ]
    ];
  };
}
