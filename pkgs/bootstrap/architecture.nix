# `architecture`: The names of a system's processor, and its dynamic loader: a row of lib/platforms/systems.json.
{ lib, system }: lib.platforms.systems.table.${system}
