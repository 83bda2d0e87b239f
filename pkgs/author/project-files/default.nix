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
    length
    listToAttrs
    match
    readFile
    replaceStrings
    stringLength
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

  fillIn =
    values: file:
    replaceStrings (map (name: "@${name}@") (attrNames values)) (attrValues values) (readFile file);

  # Text in a quoted argument of CMake.
  escapeText = replaceStrings [ "\\" "\"" "$" ] [ "\\\\" "\\\"" "\\$" ];
  # Text in an element of a list that CMake evaluates: there `$<` begins an expression, and `;` the next element.
  escapeElement = text: escapeText (replaceStrings [ "$<" ";" ] [ "$<1:$><" "\\;" ] text);
  # Text between double quotes in an element that CMake splits into words, as a shell does.
  escapeWord = text: escapeElement (replaceStrings [ "\\" "\"" ] [ "\\\\" "\\\"" ] text);

  # A word of the plan for CMake: its text, which `escape` rewrites, and variables for the folders of `packages`. All
  # packages of a toolkit are in one folder. Other text between two `@` may be the kernel's own.
  useVariables =
    packages: escape: word:
    let
      names = filter (name: name != "python") packages;
      folderOf = name: if modules ? ${name} then "\${${modules.${name}.name}}" else "\${CUDA}";
      librariesOf =
        name: if modules ? ${name} then "${folderOf name}/lib" else "\${CUDAToolkit_LIBRARY_DIR}";
    in
    replaceStrings
      ([ "@python@/include" ] ++ map (name: "@${name}@/lib") names ++ map (name: "@${name}@") names)
      ([ "\${PYTHON}" ] ++ map librariesOf names ++ map folderOf names)
      (escape word);

  # A flag inside a string of CMake that is split into words again; folders of the kernel become absolute.
  quote =
    packages: flag:
    let
      isFolder = match "-I[^/@].*" flag != null;
      inFolder = substring 2 (stringLength flag) flag;
      written =
        if flag == "-I." then
          "-I\${KERNEL}"
        else if isFolder then
          "-I\${KERNEL}/${escapeWord inFolder}"
        else
          useVariables packages escapeWord flag;
    in
    if !isFolder && written == flag && match "[A-Za-z0-9_@%+=:,./-]+" flag != null then
      flag
    else
      "\\\"${written}\\\"";

  # The flags are one text, which CMake splits again. In a list, CMake would drop repeated flags.
  joinFlags =
    packages: flags:
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
      ) [ ] (map (quote packages) flags)
    );
in
/**
  The texts of the files by their names in the kernel's folder. `project` is the result of `plan.project.planProject`.

  Type: projectFiles :: AttrSet -> { ${name} :: String; }

  # Errors

  CMake has no language for the compiler of a unit, or cannot keep the name of a source.
*/
project:
let
  inherit (project) extension generatedFolder packages units;
  isCompiled = units != [ ];
  package = project.pythonFolder;
  folder = dirOf package;
  words = concatMap (unit: unit.flags) units ++ project.linkArguments;
  isNamed = name: builtins.any (word: match ".*@${name}@.*" word != null) words;
  used = if isCompiled then filter (name: elem name packages && isNamed name) (attrNames modules) else [ ];
  pinned = name: modules.${name}.project + (if name == "torch" then "==${project.torch}" else "");
  unknown = filter (unit: !(languages ? ${unit.compiler})) units;
  unwritable = filter (unit: match ".*([;\\\"]|[$]<).*" unit.source != null) units;
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

    unit(unit${toString number} "${escapeElement unit.source}" "SHELL: \
      ${joinFlags packages unit.flags}")
  '';
  nameText = ''

    # The name of the extension, which units do not know while they are compiled.
    target_sources(${extension} PRIVATE "${generatedFolder}/name.c")
    set_source_files_properties("${generatedFolder}/name.c" PROPERTIES
      COMPILE_OPTIONS "${concatStringsSep ";" (map (useVariables packages escapeElement) project.nameFlags)}")
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
    linkArguments = concatStringsSep "\"\n  \"" (
      map (useVariables packages escapeElement) project.linkArguments
    );
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
    dependencies = toJSON project.pythonDepends;
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
else if unwritable != [ ] then
  lib.messages.check.throwProblem "no project can be written for ${project.variant}" {
    at = "its units";
    found = concatStringsSep ", " (map (unit: toJSON unit.source) unwritable);
    want = "names that CMake keeps: without ; \\ \" and $<";
    fix = "rename the files";
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
