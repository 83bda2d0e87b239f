"""Runs one build description with recording classes in the place of setuptools' and Torch's."""

import filecmp
import importlib
import inspect
import os
import re
import runpy
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import facts
import setuptools  # type: ignore[import-untyped]
import stand_ins
import tomllib
import torch.utils.cpp_extension as cpp_extension

# That of setuptools, which takes the place of Python's own when setuptools is imported.
core: Any = importlib.import_module("distutils.core")
LISTS = [
    "sources", "include_dirs", "define_macros", "undef_macros", "libraries", "library_dirs", "runtime_library_dirs",
    "extra_objects", "extra_link_args",
]  # fmt: skip
# Options of build_ext for all extensions.
OPTIONS = {"include_dirs": "include_dirs", "define_macros": "define", "undef_macros": "undef", "libraries": "libraries"}
SETUP = ["name", "packages", "package_dir", "py_modules", "entry_points", "scripts"]


def prepare() -> None:
    """Import now what every run needs."""
    for name in ("packaging.version", "setuptools.command.build_ext", "setuptools.command.build_py", "numpy"):
        importlib.import_module(name)


class Recorder:
    """Collects the extensions and words of one run."""

    def __init__(self, project: Path, words: "dict[str, Any]") -> None:
        self.project, self.folder = project, (project / words["file"]).parent
        self.queries: set[str] = set()
        self.made: list[tuple[Any, dict[str, Any]]] = []
        self.setup: dict[str, Any] = {}
        self.passed: list[Any] | None = None
        self.read: dict[str, dict[str, str]] = {"options": {}, "variables": {}}
        self.compared: dict[str, str] = {}
        self.given: dict[str, list[Any]] = {}
        self.cmake: dict[str, Any] = {}

    def note(self, kind: str, name: str, value: str = "") -> None:
        """Note an option or a variable that the project reads, or the value that it compares the variable with."""
        place = stand_ins.find_place(self.project, only_caller=True)
        if place and re.fullmatch(r"[-\w]{2,60}", name) and (kind != "options" or name.startswith("--")):
            self.read[kind].setdefault(name, place)
            if re.fullmatch(r"[-\w.]{1,60}", value):
                self.compared.setdefault(name, value)

    def run_command(self, words: "list[str]", folder: str) -> None:
        """Note what the project asks of CMake, if that is the program it starts in a folder."""
        names = [Path(each).name for each in words]
        given = words[names.index("cmake") + 1 :] if "cmake" in names else []
        for each in given:
            file = Path(os.path.normpath(Path.cwd() / folder / each), "CMakeLists.txt")
            if file.is_file() and file.is_relative_to(self.project):
                place = file.relative_to(self.project).as_posix()
                self.cmake = {"file": place, "arguments": [one for one in given if one.startswith("-D")]}

    def make_extension(self, kind: str) -> Any:
        """Return the function that makes an extension of Torch's."""

        def make(name: str, sources: Any, *_words: Any, **more: Any) -> Any:
            known = {key: more[key] for key in LISTS if key in more and key != "sources"}
            made = setuptools.Extension(name, [str(each) for each in sources], **known)
            made.extra_compile_args = more.get("extra_compile_args") or []
            self.made[-1][1].update(kind=kind)
            return made

        return make

    def patch(self) -> None:
        """Put recording classes in the place of those of setuptools and Torch."""
        recorder, start = self, setuptools.Extension.__init__

        def begin(self: Any, *words: Any, **more: Any) -> None:
            start(self, *words, **more)
            place = stand_ins.find_place(recorder.project)
            recorder.made.append((self, {"kind": type(self).__name__, "place": place}))

        setuptools.Extension.__init__ = begin
        for kind in ("CUDAExtension", "CppExtension", "SyclExtension"):
            setattr(cpp_extension, kind, self.make_extension(kind))
        for name in ("load", "load_inline"):
            setattr(cpp_extension, name, getattr(self, name))
        hipify: Any = importlib.import_module("torch.utils.hipify.hipify_python")
        hipify.hipify = lambda *_words, **_more: {}
        real = core.setup
        setuptools._install_setup_requires = lambda _attrs: None
        core._setup_stop_after = "commandline"

        def setup(**attributes: Any) -> Any:
            before, packages = self.passed or [], self.setup.get("packages") or []
            self.setup = {key: value for key, value in attributes.items() if key in (*SETUP, "license")}
            if "cmake_args" in attributes or "cmake_source_dir" in attributes:
                folder = attributes.get("cmake_source_dir", ".")
                self.run_command(["cmake", *(attributes.get("cmake_args") or ()), folder], ".")
            # Words for the project's own options would be wrong here.
            sys.argv = ["setup.py", "build_ext"]
            distribution = real(**{"distclass": setuptools.Distribution, **attributes})
            # setup.cfg and pyproject.toml have been read, too.
            self.passed = [*before, *(distribution.ext_modules or [])]
            self.setup |= {key: value for key in SETUP if (value := getattr(distribution, key, None))}
            self.setup["packages"] = [*packages, *(self.setup.get("packages") or [])]
            self.setup["version"] = distribution.get_version()
            # The project's own command may set flags of its extensions, or compile them with CMake.
            with suppress(BaseException):
                command = distribution.get_command_obj("build_ext")
                command.ensure_finalized()
                self.given = {key: list(getattr(command, name) or []) for key, name in OPTIONS.items()}
                distribution.run_command("build_ext")
            # It may have added some, too.
            more = getattr(distribution.command_obj.get("build_ext"), "extensions", None) or []
            self.passed += [each for each in more if each not in self.passed]
            metadata = distribution.metadata
            terms = [getattr(metadata, "license_expression", None), metadata.license, *(metadata.classifiers or [])]
            self.setup["name"] = metadata.name
            self.setup["license"] = [each for each in terms if each and (each in terms[:2] or "License" in each)]
            return distribution

        setuptools.setup = core.setup = setup
        command: Any = importlib.import_module("setuptools.command.build_ext").build_ext
        command.build_extension = lambda *_words: None
        cpp_extension.BuildExtension.build_extensions = command.build_extensions
        # numpy.distutils does not fit today's setuptools, and later versions of numpy lack it.
        sys.modules |= {name: stand_ins.StandIn(name) for name in ("numpy.distutils", "numpy.distutils.system_info")}
        # Modules that no environment has, and that build descriptions use.
        self.known: dict[str, dict[str, Any]] = {
            "Cython.Build": {"cythonize": lambda modules, **_more: modules},
            "skbuild": {"setup": setup},
            "pkg_resources": {"parse_version": importlib.import_module("packaging.version").parse},
            "pybind11.setup_helpers": {
                "Pybind11Extension": type("Pybind11Extension", (setuptools.Extension,), {"cxx_std": 17}),
                "build_ext": command,
            },
        }

    def load(self, name: str, sources: Any, extra_cflags: Any = None, extra_cuda_cflags: Any = None,
             extra_sycl_cflags: Any = None, extra_ldflags: Any = None, extra_include_paths: Any = None,
             *_words: Any, **_more: Any) -> Any:  # fmt: skip
        """Stand in for torch.utils.cpp_extension.load."""
        sources = [self.find_original(each) for each in ([sources] if isinstance(sources, (str, Path)) else sources)]
        is_cuda = any(each.endswith((".cu", ".cuh")) for each in sources)
        made = setuptools.Extension(name, sources, include_dirs=[str(each) for each in extra_include_paths or []])
        flags = {"cxx": extra_cflags, "nvcc": extra_cuda_cflags, "sycl": extra_sycl_cflags}
        made.extra_compile_args = {key: shlex.split(" ".join(value)) for key, value in flags.items() if value}
        made.extra_link_args = shlex.split(" ".join(extra_ldflags or []))
        self.made[-1][1].update(kind="CUDAExtension" if is_cuda else "CppExtension", loaded=True)
        # Whoever loads it may import it by its name.
        return sys.modules.setdefault(name, stand_ins.StandIn(name))

    def find_original(self, source: "str | Path") -> str:
        """Return the project's file that a source outside of it is a copy of, if there is one."""
        copy = Path(source).absolute()
        if copy.is_relative_to(self.project) or not copy.is_file():
            return str(source)
        return next((str(each) for each in self.project.rglob(copy.name) if filecmp.cmp(each, copy, False)), str(copy))

    def load_inline(self, name: str, *_words: Any, **_more: Any) -> Any:
        """Stand in for torch.utils.cpp_extension.load_inline: there is no file to compile."""
        setuptools.Extension(name, [])
        self.made[-1][1].update(kind="load_inline")
        return stand_ins.StandIn(name)

    def shorten(self, value: Any) -> Any:
        """Return a value with paths below the project's root."""
        if isinstance(value, dict):
            return {str(key): self.shorten(each) for key, each in value.items()}
        if isinstance(value, (list, tuple, set)):
            return [self.shorten(each) for each in value]
        if value is None or isinstance(value, (bool, int)):
            return value
        return str(value).replace(f"{self.project}/", "").replace(str(self.project), ".")

    def place(self, path: Any) -> str:
        """Return a path below the root: a description names it from its own folder."""
        full = os.path.normpath(self.folder / str(path))
        return os.path.relpath(full, self.project) if full.startswith("/build/") else full

    def describe(self, extension: Any, more: "dict[str, Any]") -> "dict[str, Any]":
        """Return an extension as data."""
        self.given["extra_link_args"] = facts.read_flags("LDFLAGS")
        words = {key: [*(getattr(extension, key, None) or []), *self.given.get(key, [])] for key in LISTS}
        found = {key: self.shorten(each) for key, each in words.items()}
        found["define_macros"] = [each if isinstance(each, list) else [each] for each in found["define_macros"]]
        for key in ("sources", "include_dirs", "library_dirs", "extra_objects"):
            found[key] = [self.place(each) for each in words[key]]
        flags = getattr(extension, "extra_compile_args", None) or []
        flags = {**flags} if isinstance(flags, dict) else {"cxx": flags, "nvcc": flags, "sycl": flags}
        for key, names in facts.VARIABLES.items():
            flags[key] = [*facts.read_flags(*names), *(flags.get(key) or [])]
        if more["kind"] == "CUDAExtension" and "TORCH_CUDA_ARCH_LIST" in os.environ:
            with suppress(Exception):
                flags["nvcc"] += cpp_extension._get_cuda_arch_flags(flags["nvcc"])
        return {**found, **more, "name": str(extension.name), "flags": self.shorten(flags)}


def run_poetry(recorder: Recorder) -> None:
    """Run the script that `tool.poetry.build` of pyproject.toml names, as Poetry does."""
    file = recorder.project / "pyproject.toml"
    poetry = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("poetry", {}) if file.is_file() else {}
    recorder.setup["license"] = [*recorder.setup.get("license", []), *filter(None, [poetry.get("license")])]
    build = poetry.get("build") or {}
    script = build if isinstance(build, str) else build.get("script")
    if not script:
        return
    words: dict[str, Any] = {}
    found = runpy.run_path(str(recorder.project / script), run_name="build")
    if "build" in found:
        found["build"](words)
        recorder.passed = list(words.get("ext_modules") or [])


def start_loaders(recorder: Recorder) -> None:
    """Import each module of the project that compiles at run time, and call its functions that do.

    A function that takes arguments compiles for others, whose modules come then.
    """
    files = sorted(file for file in recorder.project.rglob("*.py") if file.stat().st_size < 2**20)
    texts = {file: file.read_text(encoding="utf-8", errors="replace") for file in files}
    loaders = {"load", "load_inline"}
    others = import_loaders(recorder, [file for file in files if "cpp_extension" in texts[file]], texts, loaders)
    import_loaders(recorder, files, texts, others)


def import_loaders(
    recorder: Recorder, files: "list[Path]", texts: "dict[Path, str]", loaders: "set[str]"
) -> "set[str]":
    """Import the modules that call one of `loaders`, and call their functions that do; return those with arguments."""
    others = set()
    for file in files:
        if not loaders or not re.search(rf"\b({'|'.join(loaders)})\s*\(", texts[file]):
            continue
        folder = file.parent
        while (folder / "__init__.py").is_file() and folder != recorder.project:
            folder = folder.parent
        # Modules of a folder without __init__.py may import each other with a dot.
        base = folder.parent if folder == file.parent and "." not in folder.name else folder
        sys.path[:0] = [str(base), str(folder), str(file.parent)]
        name = ".".join(file.relative_to(base).with_suffix("").parts)
        # The module may need more than its own extension: what it loaded so far counts.
        with suppress(BaseException):
            module = importlib.import_module(name)
            for function in [each for each in vars(module).values() if inspect.isfunction(inspect.unwrap(each))]:
                if not loaders & {*inspect.unwrap(function).__code__.co_names}:
                    continue
                try:
                    inspect.signature(function).bind()
                except TypeError:
                    others.add(function.__name__)
                    continue
                with suppress(BaseException):
                    function()
    return others


def record(project: Path, words: "dict[str, Any]") -> "dict[str, Any]":
    """Return everything that a build description asks for, as on a machine with one backend."""
    recorder = Recorder(project, words)
    facts.apply(words["backend"], recorder.queries)
    recorder.patch()
    finder = stand_ins.Finder(project, recorder.known)
    sys.meta_path.append(finder)
    given = words.get("environment", {})
    tried = [name for name in words.get("variables", []) if name not in given]
    stand_ins.record_programs(recorder.run_command, os.environ["cuda_version"])
    options = [*words.get("options", []), *words.get("arguments", [])]
    stand_ins.record_options(["setup.py", *options, "build_ext"], lambda name: recorder.note("options", name))
    stand_ins.record_variables(given, tried, lambda *read: recorder.note("variables", *read))
    os.environ.setdefault("TORCH_EXTENSIONS_DIR", "/build/extensions")
    os.chdir(recorder.folder)
    sys.path.insert(0, str(recorder.folder))
    error = ""
    try:
        if words["file"] == "*.py":
            start_loaders(recorder)
        elif words["file"].endswith(".py"):
            runpy.run_path(str(project / words["file"]), run_name="__main__")
        elif words["file"] in ("pyproject.toml", "setup.cfg"):
            exec(compile("from setuptools import setup; setup()", "setup.py", "exec"), {"__name__": "__main__"})
            run_poetry(recorder)
    except BaseException as problem:
        error = f"{type(problem).__name__}: {' '.join(str(problem).split())[:300]}"
    passed = recorder.passed
    pairs = [(one, more) for one, more in recorder.made if passed is None or any(one is each for each in passed)]
    values = {name: f"{name}={recorder.compared.get(name, 1)}" for name in tried}
    rest = [] if passed is None else [each for each in recorder.made if not any(each[0] is one for one, _ in pairs)]
    return {
        **words, "error": error, "extensions": [recorder.describe(*pair) for pair in pairs],
        "unused": [recorder.describe(*pair) for pair in rest], "setup": recorder.shorten(recorder.setup),
        "missing": list(dict.fromkeys(finder.missing)), "queries": sorted(recorder.queries),
        # A description may call it for something else than an extension.
        "cmake": recorder.cmake if not pairs or not all(each.sources for each, _ in pairs) else {},
        **{f"read_{kind}": [{"name": values.get(name, name), "place": at} for name, at in found.items()
                            if name in (values or found)] for kind, found in recorder.read.items()},
    }  # fmt: skip
