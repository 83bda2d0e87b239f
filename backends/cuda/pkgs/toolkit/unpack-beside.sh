# unpack_toolkit FOLDER: as in unpack.sh, but adds to the files of $programs and $headers.
. "$unpackAlone"
mkdir toolkit
cp -a "$programs/bin" "$programs/nvvm" toolkit/
cp -a "$headers/include" toolkit/include
chmod -R u+w toolkit
