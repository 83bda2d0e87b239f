# unpack_toolkit FOLDER, as unpack.sh has it, where the folder has $programs and $headers already.
. "$unpackAlone"
mkdir toolkit
cp -a "$programs/bin" "$programs/nvvm" toolkit/
cp -a "$headers/include" toolkit/include
chmod -R u+w toolkit
