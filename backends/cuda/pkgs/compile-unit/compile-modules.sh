# Copies $modules to $out, with bytecode: compiling them again takes a third of the time in which a step of a small unit starts.
cp -R "$modules" "$out"
chmod u+w "$out"
python3 -m compileall -q --invalidation-mode unchecked-hash "$out"
