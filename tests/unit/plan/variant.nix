{ matrix, plan, ... }:
let
  inherit (plan.kernel) readKernel;
  inherit (plan.variant) planVariant;
  kernel = readKernel { root = ../../golden/five; torchVersions = defaults: defaults; brought = [ ]; };
  sectionOf = name: builtins.head (builtins.filter (section: section.name == name) kernel.config.sections);
  planSections =
    sections: variant:
    planVariant { inherit (kernel) config graph; precompiled = null; } (
      variant // { sections = plan.sections.extendSections kernel.graph sections; }
    );
  cu130 = builtins.head (
    builtins.filter (variant: variant.name == "torch213-cxx11-cu130-x86_64-linux") kernel.variants
  );
in
{
  planVariant = {
    sourceOfTwoComponents = [
      (let
        five_cuda = sectionOf "five_cuda";
        second = five_cuda // {
          name = "second";
          at = "kernel.second";
          depends = [ "cutlass_4_0" ];
          flags = five_cuda.flags // { cuda-flags = [ "-DSECOND" ]; };
        };
        both = planSections [ (sectionOf "torch") five_cuda second ] (cu130 // {
            targets = { "kernel.five_cuda" = [ "8.0" "10.3a" ]; "kernel.second" = [ "9.0a" "10.3a" ]; };
          });
        unit = builtins.elemAt both.units 1;
      in
      [
        (map (unit: unit.source) both.units)
        (map (pass: pass.name) unit.device.passes)
        (builtins.filter (flag: builtins.elem flag five_cuda.flags.cuda-flags || flag == "-DSECOND") unit.flags)
        unit.component
      ])
      [
        [ "torch-ext/torch_binding.cpp" "five_cuda/five.cu" ]
        [ "80" "90a" "103a" ]
        [ "--use_fast_math" "-DSECOND" ]
        "five_cuda"
      ]
    ];
    # A pass is found by its name, so no unit has two of one name: "9.0" and "9.0+PTX" are one pass.
    targetsOfAllComponents = [
      (let
        section = name: more: sectionOf "five_cuda_sort" // more // { inherit name; at = "kernel.${name}"; };
        unit = builtins.head (planSections [
          (sectionOf "torch" // { src = [ "five_cuda/five.cu" ]; })
          (section "first" { })
          (section "second" { src = [ ]; })
        ] (cu130 // {
          targets = { "kernel.first" = [ "9.0" "10.0" ]; "kernel.second" = [ "8.0" "9.0+PTX" ]; };
        })).units;
      in
      [ unit.source (map (pass: [ pass.name pass.ptx ]) unit.device.passes) ])
      [ "five_cuda/five.cu" [ [ "80" false ] [ "90" true ] [ "100" false ] ] ]
    ];
    # A component may be called like the framework: its targets are not those of the framework's section.
    componentCalledLikeTheFramework = [
      (let
        config = kernel.config // {
          sections = plan.sections.extendSections kernel.graph [
            (sectionOf "torch" // { src = [ "five_cuda/five.cu" ]; })
            (sectionOf "five_cuda" // { name = "torch"; at = "kernel.torch"; src = [ ]; targets = [ "9.0" ]; })
            (sectionOf "five_cuda_sort" // { targets = [ "8.0" ]; })
          ];
        };
        row = builtins.head (
          builtins.filter (row: row.compute == "cu130" && row.torch == "2.13.0" && row.system == "x86_64-linux") matrix.torchBuilds.knownRows
        );
        variants = [ (matrix.variants.makeVariant config row) ];
        targetsOf =
          variant:
          map (unit: [ unit.source (map (pass: pass.name) unit.device.passes) ]) (
            builtins.filter (unit: unit.device != null) (planVariant { inherit config; inherit (kernel) graph; precompiled = null; } variant).units
          );
        narrowed = matrix.narrowing.narrowVariants { inherit variants; requested = [ "8.0" ]; };
      in
      map targetsOf (variants ++ narrowed))
      [
        [ [ "five_cuda/five.cu" [ "80" "90" ] ] [ "five_cuda/sort.cu" [ "80" ] ] ]
        [ [ "five_cuda/five.cu" [ "80" "90" ] ] [ "five_cuda/sort.cu" [ "80" ] ] ]
      ]
    ];
  };
}
