# The plan of one variant: which units, with which compiler, flags and headers, and
# how they are linked. Data only; derivations, CMake files and reports are readings of it,
# so that nobody computes a flag twice.
#
# A package's folder stands in flags as `@package@`: where it lies is not the plan's business.
{
  backends,
  headers,
  includes,
  paths,
  versions,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatLists
    concatMap
    elem
    filter
    head
    mapAttrs
    ;

  unique = builtins.foldl' (done: item: if elem item done then done else done ++ [ item ]) [ ];

  # Where a package keeps its headers, below its folder.
  includeFolders = {
    torch = [
      "include"
      "include/torch/csrc/api/include"
    ];
  };

  # registration.h is put here; the name cannot be one of the kernel's own.
  generatedFolder = ".kernel-builder";

  optimisation = [
    "-O3"
    "-DNDEBUG"
    "-fPIC"
    # Two builds of one kernel keep apart what C++ would share over the whole process.
    "-fno-gnu-unique"
  ];

  # The framework section counts as one more component, which depends on Torch.
  componentsOf =
    { config, variant }:
    let
      framework =
        if config.torch == null then
          [ ]
        else
          [
            {
              name = "torch";
              inherit (config.torch) src include cxx-flags;
              depends = [ "torch" ];
            }
          ];
    in
    framework
    ++ map (name: {
      inherit name;
      inherit (config.kernel.${name})
        src
        include
        depends
        cxx-flags
        ;
    }) variant.components;

  isUnit = backend: file: backend.languages ? ${paths.extension file};

  self = {
    /**
      Scan what the units of a kernel include, once for all variants.

      # Type

      ```
      scanKernel :: { root :: Path; config :: Config; } -> { graph :: Graph; headers :: [String]; }
      ```
    */
    scanKernel =
      { root, config }:
      let
        sections =
          map (name: config.kernel.${name}) (attrNames config.kernel)
          ++ (if config.torch == null then [ ] else [ config.torch ]);
        folders = unique (concatMap (section: section.include) sections);
        listed = unique (concatMap (section: section.src) sections);
        inFolders = concatMap (folder: paths.filesBelow root (paths.join "" folder)) folders;
      in
      {
        graph = includes.graph {
          inherit root folders;
          start = unique (map (paths.join "") (listed ++ inFolders));
        };
        headers = unique (
          map (paths.join "") (
            filter (file: !builtins.any (backend: isUnit backend file) (builtins.attrValues backends)) (
              listed ++ inFolders
            )
          )
        );
      };

    /**
      The plan of `variant`.

      # Type

      ```
      planVariant :: { config :: Config; variant :: Variant; scanned :: { graph; headers; }; } -> Plan
      ```
    */
    planVariant =
      {
        config,
        variant,
        scanned,
      }:
      let
        backend = backends.${variant.backend};
        components = componentsOf { inherit config variant; };
        planUnit =
          component: file:
          let
            source = paths.join "" file;
            reached = includes.reach scanned.graph source;
            language = backend.languages.${paths.extension source};
            packages = headers.visible {
              allowed = component.depends ++ [ "python" ];
              names = reached.foreign;
              inherit (reached) computed;
            };
            files = unique (reached.files ++ (if reached.computed then scanned.headers else [ ]));
            usesTorch = elem "torch" packages;
            standard =
              if usesTorch && !(versions.atLeast "2.12" variant.torch) then "gnu++17" else "gnu++20";
          in
          {
            inherit source packages;
            component = component.name;
            inherit (language) compiler;
            # Everything but the unit itself.
            headers = filter (header: header != source) files;
            # "late": the link gives the extension its name, see registration.h.
            inherit (reached) extensionName registersModule;
            usesRegistration = elem "registration.h" reached.foreign || reached.computed;
            scope = if usesTorch then "torch${versions.flat variant.torch}-${variant.compute}" else variant.compute;
            flags =
              optimisation
              ++ (if language.compiler == "gcc" then [ "-std=gnu17" ] else [ "-std=${standard}" ])
              ++ map (name: "-D${name}") (backend.definitions ++ [ "Py_LIMITED_API=0x03090000" ])
              ++ language.flags
              ++ component.cxx-flags
              ++ map (folder: "-I${if paths.join "" folder == "" then "." else paths.join "" folder}") component.include
              ++ [ "-I${generatedFolder}" ]
              ++ concatMap (
                package:
                concatMap (folder: [
                  "-isystem"
                  "@${package}@/${folder}"
                ]) (includeFolders.${package} or [ "include" ])
              ) packages;
          };
        units = concatMap (
          component: map (planUnit component) (filter (isUnit backend) component.src)
        ) components;
      in
      {
        kernel = config.general.name;
        variant = variant.name;
        inherit (variant) backend torch compute system;
        inherit units generatedFolder;
        link = {
          inherit (backend) libraries;
          # The module's entry point is part of what the link names.
          module = builtins.any (unit: unit.extensionName == "late" && unit.registersModule) units;
        };
      };

    /**
      The names under which a build of `content` registers itself: the same content
      always gives the same ones, any other content others.

      # Type

      ```
      namesOf :: { config :: Config; variant :: Variant; content :: String; } -> { uid :: String; extension :: String; }
      ```
    */
    namesOf =
      {
        config,
        variant,
        content,
      }:
      let
        uid = builtins.substring 0 16 (builtins.hashString "sha256" content);
      in
      {
        inherit uid;
        extension = "_${config.general.python-name}_${variant.backend}_${uid}";
      };
  };
in
self
