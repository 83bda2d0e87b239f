{ plan, ... }:
let
  inherit (plan) imports;
  inThe = folders: imports.isImported {
    root = ../kernels/odd;
    inherit folders;
    module = "statistics";
  };
in
{
  hasImport = {
    plainly = {
      expr = map (imports.hasImport "triton") [
        "import torch\nimport triton\n"
        "    from triton import language"
        "import torch, triton"
        "import_module(\"triton\")"
        "find_spec('triton')"
      ];
      expected = [
        true
        true
        true
        true
        true
      ];
    };
    not = {
      expr = map (imports.hasImport "triton") [
        ""
        "# without triton"
        "torch.library.triton_op(name)"
      ];
      expected = [
        false
        false
        false
      ];
    };
  };
  isImported = {
    inOneOfTheFolders = {
      expr = inThe [
        "no-such-folder"
        "benchmarks"
      ];
      expected = true;
    };
    elsewhere = {
      expr = inThe [
        "torch-ext"
        "src"
        "linked"
      ];
      expected = false;
    };
  };
}
