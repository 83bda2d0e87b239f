# The plan of one translation unit: its compiler, flags, headers and packages.
{ values, compilers, plan, ... }:
let
  inherit (builtins)
    any
    attrNames
    elem
    filter
    hashString
    head
    substring
    ;
  inherit (values) paths versions;
  inherit (values.lists) optionals unique;
  inherit (compilers.language) selectFlags;
  inherit (plan) flags;
  inherit (plan.headers) isRegistration listVisiblePackages;
  inherit (plan.precompiledHeaders) findPrecompiledHeader;

  folderFlag = folder: "-I${if folder == "" then "." else folder}";

  # The umbrella headers of Torch that the build first tries for each part of a unit. A host part is compiled with lean
  # headers only if the kernel requests them. By default, nvcc's front end alone reads lean headers ("lean-front-end"),
  # which does not change the object.
  torchHeadersOf =
    {
      language,
      device,
      wanted,
    }:
    if device == null then
      { host = if wanted == "lean" then "lean" else "full"; }
    else if device.whole != null || !language.leanHeaders then
      {
        host = "full";
        device = "full";
      }
    else
      {
        host = if wanted == null then "lean-front-end" else wanted;
        device = if wanted == "full" then "full" else "lean";
      };

  # The sets of lean headers that a build may try: see pkgs/torch/lean-headers.
  leanSetsOf =
    { device, torchHeaders }:
    if torchHeaders == null || torchHeaders.host == "full" then
      "none"
    else if device == null then
      "operators"
    else
      "all";

  # The ways in which a unit can depend on its name and targets, by its files and flags. A computed include, or a header of an unknown
  # owner, may use any target.
  readUses =
    readings:
    let
      isIn = field: any (reading: reading.${field}) readings;
      reached = head readings;
      mayUseAnything = reached.computed || elem [ ] reached.owners;
    in
    {
      needsName = isIn "needsName";
      seesTargets = isIn "seesTargets" || mayUseAnything;
      seesPass = isIn "seesPass" || mayUseAnything;
      mayNeedOptionalFlags = isIn "mayNeedOptionalFlags";
    };

  # The parts of a unit as its language takes it apart, with the language's own flags for them.
  takeApart =
    {
      language,
      flagsOfStep,
      identity,
      arguments,
    }:
    let
      apart = language.takeApart (arguments // { inherit identity; });
      inherit (apart.device) host wholeLinkFlags;
    in
    if language.takeApart == null then
      {
        device = null;
        inherit (arguments) flags;
        buildFlags = flagsOfStep "build";
      }
    else
      {
        inherit (apart) flags;
        buildFlags = flagsOfStep "build" ++ apart.buildFlags;
        device = apart.device // {
          symbol = "kernel_builder_fatbin_${identity}";
          host = if host == null then null else host // { compileFlags = flagsOfStep "host"; };
          wholeLinkFlags =
            if wholeLinkFlags == null then null else flagsOfStep "device-link" ++ wholeLinkFlags;
        };
      };

  self = {
    # The build writes registration.h into this folder. A kernel cannot have files in it.
    generatedFolder = ".kernel-builder";

    /**
      The plan of the unit `source` of a section in a variant of `kernel`. `targets` are the targets that the unit is
      compiled for, if its language has targets, and `listed` its targets in the variant without --capability. `reached`
      is the result of `describeReachedFiles`, `wantedHeaders` is "lean", "full" or null, and `embeddable` are the units
      that other units may embed.

      Type: planUnit :: { kernel :: String; framework :: Framework; backend :: Backend; variant :: Variant;
        section :: ReadSection; reached :: Reached; targets :: [String]; listed :: [String];
        wantedHeaders :: String | Null; embeddable :: [String]; } -> String -> Unit
    */
    planUnit =
      {
        kernel,
        framework,
        backend,
        variant,
        section,
        reached,
        targets,
        listed ? targets,
        wantedHeaders,
        embeddable ? [ ],
      }:
      source:
      let
        language = backend.languages.${paths.ending source};
        uses = readUses ([ reached ] ++ map (key: section.flagReadings.${key}) language.flagsKeys);
        packages = unique (
          listVisiblePackages {
            allowed = unique (
              section.depends ++ framework.depends ++ [ "python" ] ++ attrNames backend.packages
            );
            inherit (reached) computed owners;
          }
          ++ language.packages
        );
        usesTorch = elem "torch" packages;
        # The header with the embedded units is included by a macro.
        embeds = optionals (reached.computed && !language.isEmbedded) embeddable;
        flagsOfStep =
          step:
          selectFlags step {
            inherit packages;
            inherit (variant) toolkit;
          } language.flags;
        sectionFlags = flags.listSectionFlags language section;
        apart = takeApart {
          inherit language flagsOfStep;
          identity = substring 0 16 (hashString "sha256" "${kernel} ${source}");
          arguments = {
            inherit targets listed;
            inherit (variant) toolkit;
            inherit (uses) seesTargets seesPass;
            flags = sectionFlags;
          };
        };
        inherit (apart) device;
        torchHeaders =
          if usesTorch then
            torchHeadersOf {
              inherit language device;
              wanted = wantedHeaders;
            }
          else
            null;
        # Headers of other packages may change without these flags. Headers of the language's own packages do not.
        optionalFlags = optionals (
          device != null
          && device.whole == null
          && packages == language.packages
          && !uses.seesTargets
          && !uses.mayNeedOptionalFlags
        ) (filter (flag: !elem flag sectionFlags) language.optionalFlags.flags);
        flagsWith =
          folders:
          flags.listUnitFlags {
            inherit
              language
              backend
              variant
              packages
              usesTorch
              folders
              optionalFlags
              ;
            embeds = embeds != [ ];
            sectionFlags = apart.flags;
          };
      in
      {
        inherit
          source
          packages
          embeds
          device
          torchHeaders
          optionalFlags
          ;
        inherit (uses) needsName;
        component = section.name;
        inherit (language) compiler translator isEmbedded;
        inherit (reached) folders;
        registrations = unique (
          map (
            name: "${if name == "registration.h" then self.generatedFolder else framework.folder}/registration.h"
          ) (optionals reached.computed [ "registration.h" ] ++ filter isRegistration reached.foreign)
        );
        headers = filter (header: header != source) reached.files;
        tools = language.tools ++ [ "toolchain" ];
        scope =
          if usesTorch then "torch${versions.flat variant.torch}-${variant.compute}" else variant.compute;
        flags = flagsWith (map folderFlag section.include ++ [ "-I${self.generatedFolder}" ]);
        nameFlags = flags.listNameFlags {
          inherit framework;
          inherit (uses) needsName;
        };
        buildFlags = flags.listBuildFlags {
          inherit source packages;
          inherit (language) isEmbedded;
          partFlags = apart.buildFlags;
        };
        leanFlags = flags.listLeanFlags (leanSetsOf {
          inherit device torchHeaders;
        });
        # Only gcc reads a precompiled header, and only of Torch's full headers.
        precompiled =
          if
            usesTorch
            && torchHeaders.host == "full"
            && language.compiler == "g++"
            && language.translator == null
          then
            findPrecompiledHeader {
              inherit (reached) first;
              inherit sectionFlags;
              flags = flagsWith [ ] ++ flags.listPackageMaps packages ++ apart.buildFlags;
            }
          else
            null;
      };
  };
in
self
