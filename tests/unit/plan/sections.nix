{ backends, plan, ... }:
let
  inherit (plan.sections) extendSections joinSections listSources;
  kernel = plan.kernel.readKernel { root = ../../golden/five; torchVersions = defaults: defaults; brought = [ ]; };
  read = extendSections kernel.graph kernel.config.sections;
  cuda = builtins.head (builtins.filter (section: section.name == "five_cuda") read);
  second = cuda // { depends = [ "cutlass_4_0" ]; flags = cuda.flags // { cuda-flags = [ "-DSECOND" ]; }; };
in
{
  extendSections.filesThatSourcesInclude = [
    cuda.reached."five_cuda/five.cu".files
    [ "five_cuda/five.cu" "include/shared.h" ]
  ];
  joinSections = {
    oneIsItself = [ ((joinSections kernel.graph [ cuda ]).flags.cuda-flags) (cuda.flags.cuda-flags) ];
    flagsOfAll = [
      ((joinSections kernel.graph [ cuda second ]).flags.cuda-flags)
      (cuda.flags.cuda-flags ++ [ "-DSECOND" ])
    ];
  };
  listSources.eachOnceInOrder = [
    (map
      (source: { inherit (source) source; sections = builtins.length source.sections; })
      (listSources backends.all.cuda [ cuda second ]))
    (map (source: {
      inherit source;
      sections = 2;
    }) (builtins.filter (file: builtins.match ".*[.]cu" file != null) cuda.src))
  ];
}
