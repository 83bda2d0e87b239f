# Words of a plan as text for CMake.
{ lib }:
let
  inherit (builtins) concatStringsSep filter match replaceStrings;
  frameworks = lib.frameworks.all;

  # Text in a quoted argument of CMake.
  escapeText = replaceStrings [ "\\" "\"" "$" ] [ "\\\\" "\\\"" "\\$" ];
  # Text between double quotes in an element that CMake splits into words, as a shell does.
  escapeWord = text: self.escapeElement (replaceStrings [ "\\" "\"" ] [ "\\\\" "\\\"" ] text);

  # A flag inside a string of CMake that is split into words again; folders of the kernel become absolute.
  quote =
    packages: flag:
    let
      isFolder = match "-I[^/@].*" flag != null;
      inFolder = builtins.substring 2 (-1) flag;
      written =
        if flag == "-I." then
          "-I\${KERNEL}"
        else if isFolder then
          "-I\${KERNEL}/${escapeWord inFolder}"
        else
          self.useVariables packages escapeWord flag;
    in
    if !isFolder && written == flag && match "[A-Za-z0-9_@%+=:,./-]+" flag != null then
      flag
    else
      "\\\"${written}\\\"";

  self = {
    # CMake's languages for the compilers of a plan.
    languages = {
      "g++" = "CXX";
      gcc = "C";
      nvcc = "CUDA";
    };

    # Packages of plans that are Python modules. CMakeLists.txt has a variable for the folder of each.
    modules = lib.values.attributes.generate (filter (name: frameworks.${name}.module != null) (
      builtins.attrNames frameworks
    )) (name: frameworks.${name}.module);

    # Text in an element of a list that CMake evaluates: there `$<` begins an expression, and `;` the next element.
    escapeElement = text: escapeText (replaceStrings [ "$<" ";" ] [ "$<1:$><" "\\;" ] text);

    isKept = file: match ".*([;\\\"]|[$]<).*" file == null;

    isUsed = words: name: builtins.any (word: match ".*@${name}@.*" word != null) words;

    # A word of the plan for CMake: its text, which `escape` rewrites, and variables for the folders of `packages`. All
    # packages of a toolkit are in one folder. Other text between two `@` may be the kernel's own.
    useVariables =
      packages: escape: word:
      let
        inherit (self) modules;
        names = filter (name: name != "python") packages;
        folderOf = name: if modules ? ${name} then "\${${modules.${name}.name}}" else "\${CUDA}";
        librariesOf =
          name: if modules ? ${name} then "${folderOf name}/lib" else "\${CUDAToolkit_LIBRARY_DIR}";
      in
      replaceStrings
        ([ "@python@/include" ] ++ map (name: "@${name}@/lib") names ++ map (name: "@${name}@") names)
        ([ "\${PYTHON}" ] ++ map librariesOf names ++ map folderOf names)
        (escape word);

    # The flags are one text, which CMake splits again. In a list, CMake would drop repeated flags.
    joinFlags = packages: flags: concatStringsSep " \\\n  " (map (quote packages) flags);
  };
in
self
