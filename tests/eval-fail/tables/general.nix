# [general], and sections and keys that no section has.
import ../shared/relu.nix {
  section-unknown.torhc.src = [ "torch-ext/torch_binding.cpp" ];
  key-at-the-top.name = "relu";
  key-unknown.general.licence = "MIT";
  key-with-underscore.general.python_depends = [ "einops" ];
  key-unknown-in-hub.general.hub.repo_id = "kernels-community/relu";
  key-unknown-in-backend.general.cuda.minvers = "1.2";
  key-missing = { general.name = null; kernel.a.depends = null; };
  general-missing.general = null;
  general-no-table.general = "relu";
  type-string.general.name = 3;
  texts-of-two-lines.general = { license = "mit\nName: torch"; upstream = "https://example.org/\r"; hub.branch = "v1\tx"; };
  type-number.general.version = "1";
  type-list.general.backends = "cpu";
  name-capital.general.name = "Relu";
  name-dash-last.general.name = "relu-";
  name-one-letter.general.name = "r";
  name-keyword.general.name = "lambda";
  name-underscore = { general.name = "re_lu"; general.edition = 5; };
  version-negative.general.version = -1;
  version-large.general.version = 3000000000;
  edition-zero.general.edition = 0;
  edition-future.general.edition = 6;
  backends-missing = { general.backends = null; general.edition = 5; };
  backends-empty.general.backends = [ ];
  backends-twice.general.backends = [ "cpu" "cpu" ];
  backend-unknown.general.backends = [ "cpu" "cudaa" "vulkan" "npu" "mps" ];
  repo-id.general.hub.repo-id = "relu";
  cuda-bounds = { general.cuda.minver = "13.0"; general.cuda.maxver = "12.9"; };
  python-depends.general.python-depends = [ "einop" "pandas" "nvidia-cutlass-dsl" ];
  kernel-depends-form.general.kernel-depends = [ { repo-id = "kernels-community/gelu"; } ];
  kernel-depends-itself.general = {
    version = 2;
    hub.repo-id = "me/relu";
    kernel-depends = [ { repo-id = "me/relu"; version = 2; } ];
  };
  kernel-depends-twice.general = {
    backends = [ "cpu" "cuda" ];
    kernel-depends = [
      { repo-id = "kernels-community/gelu"; version = 1; }
      { repo-id = "kernels-community/silu"; version = 1; }
      { repo-id = "kernels-community/silu"; revision = "main"; }
    ];
    cuda.kernel-depends = [
      { repo-id = "kernels-community/gelu"; version = 2; }
      { repo-id = "kernels-community/silu"; version = 1; }
    ];
  };
}
