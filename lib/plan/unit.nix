# The plan of one translation unit: who compiles it, with which flags, next to which files.
#
# A package's folder stands in flags as `@package@`: where it lies is not the plan's business.
{ values, config, plan, ... }:
let
  inherit (builtins)
    attrNames
    concatMap
    elem
    filter
    ;
  inherit (values) lists paths versions;
  inherit (values.lists) optionals;
  inherit (plan) headers precompiledHeaders;
  inherit (lists) unique;
  inherit (config.dependencies.table) depends;

  # Where a package keeps its headers, below its folder.
  includeFolders = {
    torch = [
      "include"
      "include/torch/csrc/api/include"
    ];
  };

  # C++17 below Torch 2.12 for what includes Torch; a unit that does not is the same under
  # every Torch, so it has one standard.
  yearOf =
    { usesTorch, torch }: if usesTorch && !(versions.atLeast "2.12" torch) then "17" else "20";

  # What of Torch's stable interface a unit may use: that of this version, whatever Torch has
  # the headers. Torch writes a version as major and minor in a byte each.
  stableAbiFlags =
    variant:
    optionals (variant.stableAbi != null) (
      let
        parts = builtins.splitVersion variant.stableAbi;
        byte =
          text:
          let
            number = builtins.fromJSON text;
            digit = at: builtins.substring at 1 "0123456789abcdef";
          in
          digit (number / 16) + digit (number - number / 16 * 16);
      in
      [
        "-DTORCH_TARGET_VERSION=0x${byte (builtins.elemAt parts 0)}${byte (builtins.elemAt parts 1)}000000000000"
      ]
    );

  self = {
    # registration.h is put here; the name cannot be one of the kernel's own.
    generatedFolder = ".kernel-builder";

    /**
      The plan of the unit `source` of a component in a variant. `targets` are what it is
      compiled for, where its language has such, `listed` those of the whole variant; `reached` is what it reaches; `wantedHeaders` is "lean", "full" or null;
      `embeddable` are the units that others may embed.

      # Type

      ```
      planUnit :: { framework :: Framework; backend :: Backend; variant :: Variant; component :: Component; reached :: Reached; targets :: [String]; listed :: [String]; wantedHeaders :: String | Null; embeddable :: [String]; } -> String -> Unit
      ```
    */
    planUnit =
      {
        framework,
        backend,
        variant,
        component,
        reached,
        targets,
        listed ? targets,
        wantedHeaders,
        embeddable ? [ ],
      }:
      source:
      let
        language = backend.languages.${paths.ending source};
        seen = headers.visible {
          allowed = unique (
            component.depends ++ framework.depends ++ [ "python" ] ++ attrNames backend.packages
          );
          inherit (reached) computed owners;
        };
        packages = unique (seen ++ language.packages);
        usesTorch = elem "torch" packages;
        own = optionals (language.flagsKey != null) component.${language.flagsKey};
        # A header that nobody knows may do anything.
        mayDoAnything = reached.computed || elem [ ] reached.owners;
        # What is embedded is no C++.
        authors = (optionals (!language.isEmbedded) component.cxx-flags) ++ own;
        # The header that has what is embedded is included by a macro.
        embeds = optionals (reached.computed && !language.isEmbedded) embeddable;
        parts =
          if language.takeApart == null then
            {
              device = null;
              flags = authors;
            }
          else
            language.takeApart {
              inherit targets listed;
              inherit (variant) toolkit;
              seesTargets = reached.seesTargets || mayDoAnything;
              seesPass = reached.seesPass || mayDoAnything;
              flags = authors;
            };
        takenApart = parts.device;
        folderFlag =
          folder:
          let
            inside = paths.join "" folder;
          in
          "-I${if inside == "" then "." else inside}";
        flagsWith =
          folders:
          language.optimisation
          # Two builds of one kernel keep apart what C++ would share over the whole process.
          ++ optionals language.isUnique [ "-fno-gnu-unique" ]
          ++ [
            "-std=${
              language.standard (yearOf {
                inherit usesTorch;
                inherit (variant) torch;
              })
            }"
          ]
          ++ map (name: "-D${name}") (backend.definitions ++ [ "Py_LIMITED_API=0x03090000" ])
          ++ stableAbiFlags variant
          ++ optionals (embeds != [ ]) backend.embedding
          ++ language.flags
          # What headers of `depends` have to be told.
          ++ concatMap (package: depends.${package}.flags or [ ]) packages
          ++ parts.flags
          ++ folders
          ++ concatMap (
            package:
            concatMap (folder: [
              "-isystem"
              "@${package}@/${folder}"
            ]) (includeFolders.${package} or [ "include" ])
          ) packages;
        # Of a unit that is compiled whole.
        wholeHeaders = if wantedHeaders == "lean" then "lean" else "full";
      in
      {
        inherit source packages;
        component = component.name;
        inherit (language) compiler translator isEmbedded;
        inherit embeds;
        # Everything but the unit itself.
        headers = filter (header: header != source) reached.files;
        # "late": the link gives the extension its name, see registration.h.
        inherit (reached) extensionName registersModule;
        usesRegistration = elem "registration.h" reached.foreign || reached.computed;
        scope =
          if usesTorch then "torch${versions.flat variant.torch}-${variant.compute}" else variant.compute;
        flags = flagsWith (map folderFlag component.include ++ [ "-I${self.generatedFolder}" ]);
        # How it learns the extension's name, if at all.
        nameFlags =
          {
            none = [ ];
            late = [
              "-DKERNEL_BUILDER_LATE_NAME"
              "-D${framework.nameMacro}=kernel_builder_late_name"
            ];
            own = [ "-D${framework.nameMacro}=@extension@" ];
          }
          .${reached.extensionName};
        # Which umbrella headers of Torch its parts are tried with first. Lean ones have
        # to have the macros that the text names, see pkgs/compile/lean-macros; a host's part is compiled with them
        # only where they are asked for, but nvcc's front end reads no more of Torch's than they
        # have ("lean-front-end"), which does not change the object.
        torchHeaders =
          if !usesTorch then
            null
          else if takenApart == null then
            { host = wholeHeaders; }
          else if takenApart.whole != null || !language.leanHeaders then
            {
              host = "full";
              device = "full";
            }
          else
            {
              host = if wantedHeaders == null then "lean-front-end" else wantedHeaders;
              device = if wantedHeaders == "full" then "full" else "lean";
            };
        # The header of Torch that it has precompiled, where gcc reads all of Torch's headers.
        precompiled =
          if usesTorch && wholeHeaders == "full" && language.compiler == "g++" && language.translator == null then
            precompiledHeaders.candidate {
              inherit (reached) first;
              own = authors;
              flags = flagsWith [ ];
            }
          else
            null;
        # How a unit with device code is taken apart; null for any other.
        device = takenApart;
      };
  };
in
self
