{ config, imports, ... }:
let
  inherit (config.buildToml) inspectConfig;
  inThe = folders: imports.isImported { root = ../kernels/odd; inherit folders; module = "statistics"; };
  tests = imports.testImports rec {
    root = ../ported;
    inherit (inspectConfig { inherit root; }) config;
    files = [ init ];
  };
  init = "torch-ext/ported/__init__.py";
  read = text: builtins.tail (builtins.elemAt (builtins.split "(${imports.statement})" text) 1);
in
{
  statement.groups = [
    (map read [ "import a.b" "from ..a.b import c, d" ])
    [
      [ "import a.b" "import" "" "a" ".b" null null ]
      [ "from ..a.b import c, d" "from" ".." "a" ".b" " import c, d" "c, d" ]
    ]
  ];
  testImports = {
    own = [ (map (text: tests.own init (read text)) [ "import ported.a" "from . import ported" ]) [ true false ] ];
    lacking = [
      (map (text: tests.lacking init (read text)) [
        "import scipy"
        "from . import _C"
        "import einops"
        "import typing_extensions"
        "import concurrent.futures"
        "from __future__ import annotations"
        "from ._ops import ops"
        "from . import layers"
        "from .layers import norm"
        "from . import apex"
        "from ....outside import a"
      ])
      [ true true false false false false false false false false false ]
    ];
  };
  hasImport = {
    plainly = [
      (map (imports.hasImport "triton") [
        "import torch\nimport triton\n"
        "    from triton import language"
        "import torch, triton"
        "import_module(\"triton\")"
        "find_spec('triton')"
      ])
      [ true true true true true ]
    ];
    not = [
      (map (imports.hasImport "triton") [ "" "# without triton" "torch.library.triton_op(name)" ])
      [ false false false ]
    ];
  };
  isImported = {
    inOneOfTheFolders = [ (inThe [ "no-such-folder" "benchmarks" ]) true ];
    elsewhere = [ (inThe [ "torch-ext" "src" "linked" ]) false ];
  };
}
