mkdir "$out"
cd "$out"
unzip -q "$tree"/usr/share/python-wheels/pip-*.whl
