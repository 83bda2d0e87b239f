{ plan, ... }:
let
  inherit (plan.licences) listBrought listLicences;
  listTexts = listLicences ../kernels/licensed;
in
{
  listLicences = {
    besideAndAbove = [
      (listTexts [ "src/a.cpp" "third_party/mini/include/mini.h" ])
      [
        "LICENSE"
        "LICENSES/MIT.txt"
        "NOTICE.md"
        "third_party/mini/COPYING.LESSER"
        "third_party/APACHE-LICENSE"
        "third_party/ThirdPartyNotices.txt"
      ]
    ];
    ofTheRoot = [ (listTexts [ ]) [ "LICENSE" "LICENSES/MIT.txt" "NOTICE.md" ] ];
    none = [ (listLicences ../kernels/relu [ "relu_cpu/relu.cpp" ]) [ ] ];
  };
  listBrought.withoutToolkitAndFrameworks = [
    (listBrought {
      backend = "cuda";
      units = [ { packages = [ "cuda" "cutlass_3_8" "torch" ]; } { packages = [ "python" "cutlass_3_8" "cublas" ]; } ];
    })
    [ "cutlass_3_8" ]
  ];
}
