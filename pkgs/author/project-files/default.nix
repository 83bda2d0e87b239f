# `projectFiles`: The files of a kernel's project for CMake and setuptools, which `kernel-builder create-pyproject`
# writes.
{ commandLineFiles, fillIn, lib }:
let
  inherit (builtins) attrNames concatStringsSep elemAt filter genList length listToAttrs readFile toJSON;
  inherit (lib.values.attributes) optionalAttrs;
  inherit (lib.values.lists) optional optionals unique;
  inherit (import ./cmake.nix { inherit lib; }) escapeElement isKept isUsed joinFlags languages modules useVariables;

  # lib/plan/generated.nix reads it.
  mark = "Made by kernel-builder create-pyproject; a build makes its own.\n";

  problems = lib.messages.catalogue.readCatalogue ./problems.json;
  listProblems =
    { units, variant, ... }:
    let
      unknown = filter (unit: !(languages ? ${unit.compiler})) units;
      renamed = filter (unit: !isKept unit.source) units;
    in
    optional (unknown != [ ]) (
      problems.no-language {
        at = variant;
        compilers = unique (map (unit: unit.compiler) unknown);
        known = attrNames languages;
      }
    )
    ++ optional (renamed != [ ]) (problems.no-name { names = map (unit: unit.source) renamed; });

  # The modules among the packages of a project that it uses.
  modulesOf =
    { packages, units, linkArguments, ... }:
    let
      words = builtins.concatMap (unit: unit.flags) units ++ linkArguments;
    in
    filter (name: units != [ ] && builtins.elem name packages && isUsed words name) (attrNames modules);

  writeUnits =
    { packages, units, ... }:
    let
      write = number: unit: ''

        unit(unit${toString number} "${escapeElement unit.source}" "SHELL: \
          ${joinFlags packages unit.flags}")
      '';
    in
    concatStringsSep "" (genList (number: write number (elemAt units number)) (length units));

  # The values for the templates.
  valuesOf =
    project:
    let
      inherit (project) extension file pythonFolder;
      used = modulesOf project;
      writeWord = useVariables project.packages escapeElement;
      hasCuda = builtins.any (unit: languages.${unit.compiler} == "CUDA") project.units;
      pinned = name: modules.${name}.project + (if name == "torch" then "==${project.torch}" else "");
    in
    {
      inherit extension file;
      inherit (project) generatedFolder pythonName variant;
      folder = dirOf pythonFolder;
      package = pythonFolder;
      suffix = builtins.substring (builtins.stringLength extension) (-1) file;
      languages = concatStringsSep " " ([ "C" "CXX" ] ++ optionals hasCuda [ "CUDA" ]);
      foundModules = concatStringsSep " " (map (name: modules.${name}.name) used);
      findCuda = if hasCuda then readFile ./find-toolkit.cmake else "";
      units = writeUnits project;
      nameOptions = concatStringsSep ";" (map writeWord project.nameFlags);
      linkArguments = concatStringsSep "\"\n  \"" (map writeWord project.linkArguments);
      modules = toJSON (map (name: [ modules.${name}.name (pinned name) modules.${name}.title ]) used);
      kernel = toJSON project.kernel;
      version = toString project.version;
      requires = toJSON (
        [ "setuptools>=61" ]
        ++ optionals (project.units != [ ]) ([ "cmake>=3.26" "ninja" ] ++ map pinned used)
      );
      dependencies = toJSON project.pythonDepends;
      packageData = toJSON (map (ending: "*.${ending}") (filter (ending: ending != "py") project.pyext ++ [ "so" ]));
    };
in
/**
  The texts of the files by their names in the kernel's folder. `project` is the result of `plan.project.planProject`.

  Type: projectFiles :: AttrSet -> { ${name} :: String; }

  # Errors

  CMake has no language for the compiler of a unit, or cannot keep the name of a source.
*/
project:
let
  inherit (project) generatedFolder pythonFolder;
  isCompiled = project.units != [ ];
  values = valuesOf project;
  fill = file: fillIn values (readFile file);
  operators = fill (
    "${commandLineFiles.opsTemplates}/${if isCompiled then dirOf pythonFolder else "torch-noarch"}/_ops.py"
  );
in
lib.messages.check.throwProblems "no project can be written for ${project.variant}" (listProblems project) (
  {
    "pyproject.toml" = fill ./pyproject.toml.in;
    "${pythonFolder}/_ops.py" = "# ${mark}" + operators;
  }
  // optionalAttrs isCompiled (
    listToAttrs (
      map (name: {
        inherit name;
        value = "// ${mark}" + readFile ../../compile/link-extension/registration.h;
      }) project.registrations
    )
    // {
      "${generatedFolder}/name.c" = readFile ../../compile/link-extension/name.c;
      "${generatedFolder}/find.py" = fill ./find.py.in;
      "CMakeLists.txt" = fill ./CMakeLists.txt.in;
      "setup.py" = fill ./setup.py.in;
    }
  )
)
