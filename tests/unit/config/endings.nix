{ endings, schema, ... }:
{
  headers.notUnits = [
    (builtins.filter (ending: endings.isUnit schema.backends "a.${ending}") endings.headers)
    [ ]
  ];
  neverIncluded.noSources = [
    (builtins.filter (
      ending: builtins.elem ending endings.headers || endings.isUnit schema.backends "a.${ending}"
    ) endings.neverIncluded)
    [ ]
  ];
  foreignSources.notUnits = [
    (builtins.filter (ending: endings.isUnit schema.backends "a.${ending}") endings.foreignSources)
    [ ]
  ];
  objects.notUnits = [
    (builtins.filter (ending: endings.isUnit schema.backends "a.${ending}") endings.objects)
    [ ]
  ];
  unread.notPython = [ (builtins.elem "py" endings.unread) false ];
  units.everyBackend = [ (builtins.attrNames endings.units) schema.backends ];
  isUnit = {
    cuda = [ (endings.isUnit [ "cuda" ] "a/b.cu") true ];
    otherBackend = [ (endings.isUnit [ "cpu" ] "a/b.cu") false ];
    any = [ (endings.isUnit [ "cpu" "metal" ] "a.mm") true ];
    none = [ (endings.isUnit [ ] "a.cpp") false ];
    noEnding = [ (endings.isUnit [ "cpu" ] "folder.cpp/Makefile") false ];
  };
}
