# The files of a kernel's project for CMake and setuptools, which `kernel-builder create-pyproject` writes.
{ lib }:
let
  inherit (builtins)
    attrNames
    attrValues
    concatMap
    concatStringsSep
    elem
    elemAt
    filter
    foldl'
    genList
    head
    isList
    length
    listToAttrs
    match
    readFile
    replaceStrings
    stringLength
    split
    substring
    toJSON
    ;

  languages = {
    "g++" = "CXX";
    gcc = "C";
    nvcc = "CUDA";
  };
  # Packages of plans that are Python modules. CMakeLists.txt has a variable for the folder of each.
  modules = lib.values.attributes.generate (filter (name: lib.frameworks.all.${name}.module != null) (
    attrNames lib.frameworks.all
  )) (name: lib.frameworks.all.${name}.module);

  orEmpty = text: if text == null then "" else text;

  fillIn =
    values: file:
    replaceStrings (map (name: "@${name}@") (attrNames values)) (attrValues values) (readFile file);

  # A word of the plan with CMake's variables for the folders of packages. All packages of a toolkit are in one folder.
  useVariables =
    word:
    let
      known = replaceStrings [ "@python@/include" ] [ "\${PYTHON}" ] word;
      folder =
        part:
        if !isList part then
          part
        else if modules ? ${head part} then
          "\${${modules.${head part}.name}}${orEmpty (elemAt part 1)}"
        else if elemAt part 1 == null then
          "\${CUDA}"
        else
          "\${CUDAToolkit_LIBRARY_DIR}";
    in
    concatStringsSep "" (map folder (split "@([a-z][-a-z0-9_]*)@(/lib)?" known));

  # A flag as a shell reads it, inside a string of CMake; folders of the kernel become absolute.
  quote =
    word:
    let
      flag =
        if word == "-I." then
          "-I\${KERNEL}"
        else if match "-I.*" word != null then
          "-I\${KERNEL}/${substring 2 (stringLength word) word}"
        else
          word;
      isPlain = match "[A-Za-z0-9_@%+=:,./-]+" flag != null;
      inShell = if isPlain then flag else "'${replaceStrings [ "'" ] [ "'\"'\"'" ] flag}'";
    in
    if match ".*\\$\\{.*" flag != null then
      "\\\"${flag}\\\""
    else
      replaceStrings [ "\\" "\"" "$" ] [ "\\\\" "\\\"" "\\$" ] inShell;

  # The flags are one text, which CMake splits again. In a list, CMake would drop repeated flags.
  joinFlags =
    flags:
    concatStringsSep " \\\n  " (
      foldl' (
        lines: flag:
        let
          last = length lines - 1;
        in
        if lines != [ ] && elemAt lines last == "-isystem" then
          genList (elemAt lines) last ++ [ "-isystem ${flag}" ]
        else
          lines ++ [ flag ]
      ) [ ] (map (flag: quote (useVariables flag)) flags)
    );
in
/**
  The texts of the files by their names in the kernel's folder. `project` is the result of `plan.project.planProject`.

  # Type

  ```
  projectFiles :: AttrSet -> { ${name} :: String; }
  ```

  # Errors

  CMake has no language for the compiler of a unit.
*/
project:
let
  inherit (project) extension generatedFolder units;
  isCompiled = units != [ ];
  package = project.pythonFolder;
  folder = dirOf package;
  words = concatMap (unit: unit.flags) units ++ project.linkArguments;
  isNamed = name: builtins.any (word: match ".*@${name}@.*" word != null) words;
  used = if isCompiled then filter isNamed (attrNames modules) else [ ];
  pinned = name: modules.${name}.project + (if name == "torch" then "==${project.torch}" else "");
  unknown = filter (unit: !(languages ? ${unit.compiler})) units;
  unitLanguages = map (unit: languages.${unit.compiler}) units;
  hasCuda = elem "CUDA" unitLanguages;

  findPackages = concatStringsSep "\n" (
    genList (
      number: "list(GET found ${toString number} ${modules.${elemAt used number}.name})"
    ) (length used)
    ++ [ "list(GET found ${toString (length used)} PYTHON)" ]
    ++ (
      if hasCuda then
        [
          "find_package(CUDAToolkit REQUIRED)"
          "list(GET CUDAToolkit_INCLUDE_DIRS 0 CUDA_INCLUDE)"
          "cmake_path(GET CUDA_INCLUDE PARENT_PATH CUDA)"
        ]
      else
        [ ]
    )
    ++ [ "" ]
  );
  unitText = number: unit: ''

    unit(unit${toString number} "${unit.source}" "SHELL: \
      ${joinFlags unit.flags}")
  '';
  nameText = ''

    # The name of the extension, which units do not know while they are compiled.
    target_sources(${extension} PRIVATE "${generatedFolder}/name.c")
    set_source_files_properties("${generatedFolder}/name.c" PROPERTIES
      COMPILE_OPTIONS "${concatStringsSep ";" (map useVariables project.nameFlags)}")
  '';

  fill = fillIn {
    inherit extension folder generatedFolder package;
    inherit (project) file pythonName variant;
    suffix = substring (stringLength extension) (stringLength project.file) project.file;
    languages = concatStringsSep " " ([ "C" "CXX" ] ++ (if hasCuda then [ "CUDA" ] else [ ]));
    packages = findPackages;
    units =
      concatStringsSep "" (genList (number: unitText number (elemAt units number)) (length units))
      + nameText;
    linkArguments = concatStringsSep "\"\n  \"" (map useVariables project.linkArguments);
    modules = "[${
      concatStringsSep ", " (
        map (name: "(${toJSON modules.${name}.name}, ${toJSON (pinned name)}, ${toJSON modules.${name}.title})") used
      )
    }]";
    kernel = toJSON project.kernel;
    version = toString project.version;
    requires = toJSON (
      [ "setuptools>=61" ] ++ (if isCompiled then [ "cmake>=3.26" "ninja" ] ++ map pinned used else [ ])
    );
    dependencies = toJSON ((if folder == "torch-ext" then [ "torch" ] else [ ]) ++ project.pythonDepends);
    packageData = toJSON (map (ending: "*.${ending}") (filter (ending: ending != "py") project.pyext ++ [ "so" ]));
  };
  operators = fillIn {
    inherit extension;
    inherit (project) file;
  } ../../../python/src/kernel_builder/templates/ops/${if isCompiled then folder else "torch-noarch"}/_ops.py;
in
if unknown != [ ] then
  lib.messages.check.throwProblem "no project can be written for ${project.variant}" {
    at = project.variant;
    found = "units for ${concatStringsSep ", " (lib.values.lists.unique (map (unit: unit.compiler) unknown))}";
    want = "units for ${concatStringsSep ", " (attrNames languages)}";
    fix = "compile it with kernel-builder build; CMake projects are for units of ${concatStringsSep ", " (attrNames languages)}";
  }
else
  {
    "pyproject.toml" = fill ./pyproject.toml.in;
    "${package}/_ops.py" =
      "# Made by kernel-builder create-pyproject; a build makes its own.\n" + operators;
  }
  // (
    if isCompiled then
      listToAttrs (
        map (name: {
          inherit name;
          value = readFile ../../compile/link-extension/registration.h;
        }) project.registrations
      )
      // {
        "${generatedFolder}/name.c" = readFile ../../compile/link-extension/name.c;
        "${generatedFolder}/find.py" = fill ./find.py.in;
        "CMakeLists.txt" = fill ./CMakeLists.txt.in;
        "setup.py" = fill ./setup.py.in;
      }
    else
      { }
  )
