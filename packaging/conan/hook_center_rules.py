"""Rules of ConanCenter for recipes and packages, as a hook of Conan 2. scripts/conan installs it in its cache.

The numbers are those of ConanCenter's error knowledge base, whose own hook runs with Conan 1 only. Not checked, since a
recipe beside its sources differs in them: the url of the index (KB-H027), conandata.yml (KB-H030), and version ranges
of any package (KB-H008).
"""

import os
import re
import subprocess

from conan.errors import ConanException

FOLDERS = {"lib", "bin", "include", "res", "licenses"}
SYSTEM_LIBS = {"pthread", "dl", "rt", "m"}


def fail_on(faults, what):
    if faults:
        raise ConanException(f"{what} breaks rules of ConanCenter:\n  " + "\n  ".join(faults))


def names_below(folder):
    for place, _, files in os.walk(folder):
        for name in files:
            yield os.path.relpath(os.path.join(place, name), folder)


def faults_of_recipe(recipe, folder, text):
    """Yields the broken rules of a recipe; `text` is its source."""
    if recipe.name != recipe.name.lower():
        yield f"KB-H002: the name {recipe.name} is not lower-case"
    for attribute in ("license", "description", "homepage", "url", "topics"):
        if not getattr(recipe, attribute, None):
            yield f"KB-H003: the recipe has no {attribute}"
    if not re.search(r"^required_conan_version\s*=", text, re.MULTILINE):
        yield "KB-H065: the recipe has no required_conan_version"
    for topic in recipe.topics or ():
        if topic != topic.lower() or topic in ("conan", recipe.name):
            yield f"KB-H064: invalid topic {topic}"
    for attribute in ("author", "build_policy", "upload_policy", "revision_mode"):
        if re.search(rf"^    {attribute}\s*=", text, re.MULTILINE):
            yield f"KB-H037, KB-H039: the recipe has {attribute}"
    if "shared" in recipe.options and "fPIC" not in recipe.options:
        yield "KB-H006: the recipe has the option shared, and no option fPIC"
    defaults = recipe.default_options
    if not isinstance(defaults, dict):
        yield "KB-H051: default_options is no dictionary"
    elif "shared" in recipe.options and defaults.get("shared") is not False:
        yield f"KB-H050: the default of shared is {defaults.get('shared')}, expected False"
    if not re.search(rf"class \w*{re.sub(r'[^a-z0-9]', '', recipe.name)}\w*\(ConanFile\)", text, re.IGNORECASE):
        yield "KB-H059: the class is not named after the package"
    for setting in ("os", "arch", "compiler", "build_type"):
        if setting not in recipe.settings:
            yield f"KB-H070: the recipe lacks the setting {setting}"
    test = os.path.join(folder, "test_package")
    if not os.path.isfile(os.path.join(test, "conanfile.py")):
        yield "KB-H024: test_package/conanfile.py is absent"
        return
    for name in names_below(test):
        if name.startswith("build") or name.endswith("CMakeUserPresets.json") or "__pycache__" in name:
            continue
        with open(os.path.join(test, name), encoding="utf-8") as file:
            content = file.read()
        if "\r" in content:
            yield f"KB-H060: test_package/{name} has carriage returns"
        if not content.endswith("\n"):
            yield f"KB-H041: test_package/{name} lacks its last line end"
        if name == "CMakeLists.txt" and not re.match(r"cmake_minimum_required\(VERSION", content):
            yield "KB-H048: test_package/CMakeLists.txt does not begin with cmake_minimum_required"
        if name == "conanfile.py" and ("default_options" in content or 'test_type = "explicit"' not in content):
            yield "KB-H068, KB-H069: test_package/conanfile.py has default_options, or not test_type = \"explicit\""


def needed_libraries(path):
    answer = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=False)
    return re.findall(r"NEEDED.*\[lib([\w+-]+)\.so", answer.stdout)


def faults_of_package(recipe, folder):
    """Yields the broken rules of a package that was built; `folder` is its place."""
    names = sorted(names_below(folder))
    if not any(name.startswith("licenses/") for name in names):
        yield "KB-H012: the folder licenses has no file"
    for name in sorted({name.split("/")[0] for name in names} - FOLDERS - {"conaninfo.txt", "conanmanifest.txt"}):
        yield f"KB-H013: {name} is not one of the folders {', '.join(sorted(FOLDERS))}"
    if not any(name.startswith("include/") for name in names):
        yield "KB-H014: the package has no header"
    static = {os.path.basename(name) for name in names if name.endswith(".a")}
    shared = {os.path.basename(name) for name in names if re.search(r"\.so(\.|$)", name)}
    found = f"got static libraries {sorted(static)} and shared libraries {sorted(shared)}"
    if recipe.options.get_safe("shared"):
        if static or not shared:
            yield f"KB-H015, KB-H076: expected shared libraries only, {found}"
    elif shared or not static:
        yield f"KB-H074, KB-H076: expected static libraries only, {found}"
    for name in names:
        base = os.path.basename(name)
        if re.fullmatch(r"Find\w+\.cmake|.*[cC]onfig(-?[vV]ersion)?\.cmake|.*[tT]argets.*\.cmake", base):
            yield f"KB-H016: {name} describes the package, as the generators do"
        if base.endswith((".pc", ".la", ".pdb")):
            yield f"KB-H017, KB-H018, KB-H020: {name} is not for packages"
        if base.endswith(".cmake") and os.path.dirname(name) not in ("lib/cmake", f"lib/{recipe.name}"):
            yield f"KB-H019: {name} is outside of the folders for modules of CMake"


def undeclared_system_libs(components, folder):
    """Yields the libraries of the system that a shared library needs and no component declares."""
    declared = {library for info in components for library in info.system_libs}
    for name in sorted(names_below(folder)):
        if re.search(r"\.so\.\d+\.\d+\.\d+$", name):
            for library in needed_libraries(os.path.join(folder, name)):
                if library in SYSTEM_LIBS - declared:
                    yield f"KB-H043: {name} needs lib{library}, which system_libs lacks"


def post_export(conanfile):
    if not conanfile.options or "shared" not in conanfile.options:
        return  # one of packaging/conan/system
    with open(os.path.join(conanfile.recipe_folder, "conanfile.py"), encoding="utf-8") as file:
        text = file.read()
    # The recipe lies in the top folder, and the export copies no tests.
    fail_on(list(faults_of_recipe(conanfile, os.getenv("KFTRAIN_SOURCE_DIR", "."), text)), "the recipe")


def post_package(conanfile):
    if conanfile.options and "shared" in conanfile.options:
        fail_on(list(faults_of_package(conanfile, conanfile.package_folder)), "the package")


def post_package_info(conanfile):
    """Every library of the package and each that it needs of the system is declared, and every declared library exists
    (KB-H043, KB-H054, KB-H071)."""
    if not conanfile.options or "shared" not in conanfile.options:
        return
    places = [os.path.join(conanfile.package_folder, "lib")]
    present = {re.sub(r"^lib|\.(a|so)(\..*)?$", "", name) for place in places for name in os.listdir(place)
               if re.search(r"\.(a|so)(\.|$)", name)}
    declared = {library for info in conanfile.cpp_info.components.values() for library in info.libs}
    faults = [f"KB-H054: declared {sorted(declared)}, present {sorted(present)}"] if present != declared else []
    faults += undeclared_system_libs(conanfile.cpp_info.components.values(), conanfile.package_folder)
    fail_on(faults, "package_info()")
