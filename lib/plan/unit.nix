# The plan of one translation unit: its compiler, flags, headers and packages.
{ values, compilers, plan, ... }:
let
  inherit (builtins) elem filter;
  inherit (values) paths versions;
  inherit (values.lists) optionals unique;
  inherit (values.texts) mentions;
  inherit (compilers.language) selectFlags;
  inherit (plan) flags;
  inherit (plan.headers) isRegistration listVisiblePackages;
  inherit (plan.precompiledHeaders) findPrecompiledHeader;

  # The umbrella headers of Torch that the build first tries for each part of a unit. A host part is compiled with lean
  # headers only if the kernel requests them. By default, nvcc's front end alone reads lean headers ("lean-front-end"),
  # which does not change the object.
  torchHeadersOf =
    { language, device, wanted }:
    if device == null then
      { host = if wanted == "lean" then "lean" else "full"; }
    else if device.whole != null || !language.leanHeaders then
      { host = "full"; device = "full"; }
    else
      {
        host = if wanted == null then "lean-front-end" else wanted;
        device = if wanted == "full" then "full" else "lean";
      };

  # The sets of lean headers that a build may try: see pkgs/torch/lean-headers.
  leanSetsOf =
    { device, torchHeaders }:
    if torchHeaders.host or "full" == "full" then
      "none"
    else if device == null then
      "operators"
    else
      "all";

  # The ways in which a unit can depend on its name and targets, by its files and flags. A computed include, or a header
  # of an unknown owner, may use any target.
  readUses =
    readings:
    let
      isIn = field: builtins.any (reading: reading.${field}) readings;
      reached = builtins.head readings;
      mayUseAnything = reached.computed || elem [ ] reached.owners;
    in
    {
      needsName = isIn "needsName";
      seesTargets = isIn "seesTargets" || mayUseAnything;
      seesPass = isIn "seesPass" || mayUseAnything;
      mayNeedOptionalFlags = isIn "mayNeedOptionalFlags";
    };

  # The build writes registration.h into this folder. A kernel cannot have files in it.
  generatedFolder = ".kernel-builder";

  # The places of registration.h that a unit includes. A computed include may name the one without a folder.
  listRegistrations =
    framework: reached:
    unique (
      map (
        name: "${if name == "registration.h" then generatedFolder else framework.folder}/registration.h"
      ) (optionals reached.computed [ "registration.h" ] ++ filter isRegistration reached.foreign)
    );

  self = {
    inherit generatedFolder;

    /**
      The parts of a unit of a language that `takeApart` of the language describes, with their flags. `arguments` are
      those of `takeApart`, and `packages` are the packages that the unit sees. A Device is null if one call of the
      compiler compiles the unit.

      Type: planPasses :: { language :: Language; packages :: [String]; arguments :: AttrSet; } -> { device :: Device | Null;
        flags, buildFlags :: [String]; }
    */
    planPasses =
      { language, packages, arguments }:
      let
        apart = language.takeApart arguments;
        seen = { inherit packages; inherit (arguments) toolkit; };
        select = passes: step: selectFlags step (seen // apart // { inherit passes; }) language.flags;
        flagsOf = select apart.passes;
      in
      if language.takeApart == null then
        {
          device = null;
          inherit (arguments) flags;
          buildFlags = selectFlags "build" seen language.flags;
        }
      else
        {
          inherit (apart) flags;
          buildFlags = flagsOf "build";
          device = {
            inherit (apart) archList moduleId packing whole;
            symbol = "kernel_builder_fatbin_${arguments.identity}";
            passes = map (pass: pass // { flags = select [ pass ] "device"; }) apart.passes;
            host =
              if apart.host == null then
                null
              else
                apart.host
                // { flags = flagsOf "host"; compileFlags = flagsOf "host-compiler"; };
            wholeFlags = flagsOf "whole";
            wholeLinkFlags =
              if apart.linkFlags == null then
                null
              else
                flagsOf "device-link" ++ apart.linkFlags ++ flagsOf "whole";
          };
        };

    /**
      The plan of the unit `source` of a section in a variant of a kernel. The section has the `targets` that the unit is
      compiled for, if its language has targets, and as `listed` its targets in the variant without --capability.
      `embeddable` are the units that other units may embed.

      Type: planUnit :: { config :: Config; backend :: Backend; variant :: Variant; section :: ReadSection;
        embeddable :: [String]; } -> String -> Unit
    */
    planUnit =
      { config, backend, variant, section, embeddable }:
      source:
      let
        inherit (config) framework;
        reached = section.reached.${source};
        language = backend.languages.${paths.ending source};
        uses = readUses ([ reached ] ++ map (key: section.flagReadings.${key}) language.flagsKeys);
        packages = unique (
          listVisiblePackages {
            allowed = unique (
              section.depends ++ framework.depends ++ [ "python" ] ++ builtins.attrNames backend.packages
            );
            inherit (reached) computed owners;
          }
          ++ language.packages
        );
        usesTorch = elem "torch" packages;
        # The header with the embedded units is included by a macro.
        embeds = optionals (reached.computed && !language.isEmbedded) embeddable;
        sectionFlags = flags.listSectionFlags language section;
        # A kernel's own flag may have the name, too.
        needsName = uses.needsName || builtins.any (mentions [ "@extension@" ]) sectionFlags;
        parts = self.planPasses {
          inherit language packages;
          arguments = {
            identity = builtins.substring 0 16 (builtins.hashString "sha256" "${config.general.name} ${source}");
            inherit (section) targets listed;
            inherit (variant) toolkit;
            inherit (uses) seesTargets seesPass;
            flags = sectionFlags;
          };
        };
        inherit (parts) device;
        torchHeaders =
          if usesTorch then
            torchHeadersOf { inherit language device; wanted = config.torch.headers or null; }
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
          include:
          flags.listUnitFlags {
            inherit language backend variant packages usesTorch include optionalFlags;
            embeds = embeds != [ ];
            sectionFlags = parts.flags;
          };
      in
      {
        inherit source packages embeds device torchHeaders optionalFlags needsName;
        component = section.name;
        inherit (variant) stableAbi;
        inherit (language) compiler translator isEmbedded;
        inherit (reached) folders;
        registrations = listRegistrations framework reached;
        headers = filter (header: header != source) reached.files;
        tools = language.tools ++ [ "toolchain" ];
        scope =
          if usesTorch then "torch${versions.flat variant.torch}-${variant.compute}" else variant.compute;
        flags = flagsWith (section.include ++ [ generatedFolder ]);
        nameFlags = flags.listNameFlags { inherit framework needsName; };
        buildFlags = flags.listBuildFlags {
          inherit source packages;
          inherit (language) isEmbedded;
          partFlags = parts.buildFlags;
        };
        leanFlags = flags.lean.${leanSetsOf { inherit device torchHeaders; }};
        # Only gcc reads a precompiled header, and only of Torch's full headers.
        precompiled =
          if usesTorch && torchHeaders.host == "full" && language.compiler == "g++" then
            findPrecompiledHeader {
              inherit (reached) first;
              inherit sectionFlags;
              flags = flagsWith [ ] ++ flags.listPackageMaps packages ++ parts.buildFlags;
            }
          else
            null;
      };
  };
in
self
