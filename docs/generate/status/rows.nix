# The rows of the matrix, one for each system, with the sources of their Torch, toolkit and Python, read from
# the package sets.
{ library, packages }:
let
  inherit (builtins)
    any
    attrValues
    concatMap
    concatStringsSep
    filter
    fromJSON
    head
    isAttrs
    isList
    length
    map
    match
    readFile
    replaceStrings
    ;
  inherit (library) backends;
  inherit (library.values) lists versions;
  inherit (library.matrix) names origins torchBuilds;

  pkgs = ../../../pkgs;
  readJSON = file: fromJSON (readFile file);
  debs = readJSON (pkgs + "/sources/debs/pins.json");
  newerDebs = readJSON (pkgs + "/python/newer-python/pins.json");

  # "3.11.2" of "python3.11_3.11.2-6+deb12u8_amd64.deb".
  debVersion = debVersionIn debs;
  debVersionIn =
    pinned: package: system:
    head (
      match "[^_]*_([0-9.]+).*"
        pinned.pins.${packages.${system}.architecture.debian}.${package}.file
    );

  # The files in a toolkit's pins that are for a system, at any depth.
  filesOf =
    system: value:
    if isList value then
      concatMap (filesOf system) value
    else if !isAttrs value then
      [ ]
    else if value ? sha256 then
      [ value ]
    else if value ? ${system} then
      filesOf system value.${system}
    else
      concatMap (filesOf system) (attrValues value);

  hostOf = pin: if pin ? url then head (match "https?://([^/]+)/.*" pin.url) else "registry";

  # Text such as "3 files of developer.download.nvidia.com, 8 wheels".
  countByHost =
    files:
    let
      countOf = host: length (filter (pin: hostOf pin == host) files);
      nounOf = host: "${if host == "registry" then "wheel" else "file"}${if countOf host == 1 then "" else "s"}";
      write =
        host: "${toString (countOf host)} ${nounOf host}${if host == "registry" then "" else " of ${host}"}";
    in
    concatStringsSep ", " (map write (lists.unique (map hostOf files)));

  # The version of the compiler in the name of a pinned file; without such a file, the release of the pins.
  toolkitVersion =
    backend: pins: files:
    let
      compilers = map (language: replaceStrings [ "+" ] [ "[+]" ] language.compiler) (
        attrValues backend.languages
      );
      isOf = pin: program: match ".*[_-]${program}-.*" (pin.file or "") != null;
      found = filter (pin: any (isOf pin) compilers) files;
    in
    if pins ? release then
      pins.release
    else if found == [ ] then
      null
    else
      (head found).version;

  toolkitOf =
    {
      backend,
      release,
      system,
    }:
    let
      pins = backends.all.${backend}.toolkit.releases.${versions.majorMinor release} or null;
      files = filesOf system pins;
    in
    if release == null || pins == null then
      null
    else
      {
        version = toolkitVersion backends.all.${backend} pins files;
        from = countByHost files;
      };

  rowOf =
    build: system:
    let
      backend = backends.all.${build.backend};
      compute = names.nameCompute { inherit (build) backend toolkit; };
      torchBuild = names.nameTorchBuild { inherit (build) torch; inherit compute; };
      hosts = {
        torch = origins.findTorchHost {
          inherit (build) torch backend toolkit;
          inherit system;
        };
        toolkit = origins.findToolkitHost {
          inherit (build) backend toolkit;
          inherit system;
        };
      };
      isBuilt = packages ? ${system};
      isMac = match ".*-darwin" system != null;
      isCompiled = backend.languages != { };
      wheel = if isBuilt then packages.${system}.torchPins.${torchBuild}.${system} or null else null;
      toolkit = toolkitOf {
        inherit (build) backend;
        release = build.toolkit;
        inherit system;
      };

      # The version of the Debian package that imports this Torch.
      pythonVersion =
        if packages.${system}.otherPythons ? ${toString (packages.${system}.wheelPython torchBuild)} then
          debVersionIn newerDebs "python${packages.${system}.wheelPython torchBuild}" system
        else
          debVersion "python3.11" system;

      unbuilt =
        if !isBuilt then
          "nothing is built for ${system}"
        else if !isCompiled then
          null
        else if wheel == null then
          "no wheel of Torch ${torchBuild} is pinned for ${system}"
        else if build.toolkit != null && toolkit == null then
          "no toolkit of ${compute} is pinned"
        else
          null;

      # Shells and tests compute with Torch (`isUsed`); the import check only loads it.
      obstacleOf =
        isUsed:
        if unbuilt != null then
          unbuilt
        else
          packages.${system}.importObstacle {
            plan = {
              inherit torchBuild;
              inherit (backend) runtime;
              torchIsAlone = library.platforms.systems.isDarwin system || backend.isEverywhere;
            };
            inherit isUsed;
          };
      importObstacle = obstacleOf false;
    in
    {
      inherit (build) torch backend toolkit;
      inherit
        compute
        system
        torchBuild
        unbuilt
        isCompiled
        importObstacle
        ;
      shellObstacle = obstacleOf true;
      inherit (backend) isEverywhere;
      inherit hosts;
      name =
        if isCompiled then
          names.nameVariant {
            inherit (build) torch backend toolkit;
            inherit system;
          }
        else
          names.nameNoarchVariant { inherit (build) backend; };

      # The sources in words, or the reason why nothing is pinned.
      torchFrom =
        if wheel != null then
          "${wheel.version} for CPython 3.${head (match ".*-cp3([0-9]+)-.*" wheel.file)}, ${
            if hosts.torch == "registry" then "package registries" else hosts.torch
          }"
        else if isCompiled then
          "not pinned: ${unbuilt}"
        else
          "not pinned: no compiled code";
      toolkitFrom =
        if toolkit != null then
          "${toString toolkit.version}: ${toolkit.from}"
        else if !isCompiled then
          "none: no compiled code"
        else if isBuilt && isMac then
          "Xcode ${packages.${system}.xcode.least} or newer, of the machine"
        else if isBuilt && build.toolkit == null then
          "gcc ${debVersion "gcc-12" system} of Debian"
        else
          "not pinned, ${hosts.toolkit}";

      # The versions that records refer to.
      versions =
        (
          if isBuilt && isMac then
            { python = packages.${system}.macPython.version; }
          else if isBuilt then
            {
              gcc = debVersion "gcc-12" system;
              python = pythonVersion;
            }
          else
            { }
        )
        // (if toolkit == null then { } else { toolkit = toolkit.version; });
    };
in
map (build: rowOf build build.system) torchBuilds.knownRows
