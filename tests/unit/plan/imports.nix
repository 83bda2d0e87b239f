{ plan, ... }:
let
  inherit (plan) imports;
  inThe = folders: imports.isImported { root = ../kernels/odd; inherit folders; module = "statistics"; };
in
{
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
