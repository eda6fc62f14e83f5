import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir
from conan.tools.scm import Version

required_conan_version = ">=2.4"


class KftrainConan(ConanFile):
    name = "kftrain"
    description = "C++20 SDK for distributed training jobs on Kubernetes"
    license = "Apache-2.0"
    url = "https://kftrain.invalid"
    homepage = "https://kftrain.invalid"
    topics = ("kubernetes", "kubeflow", "training", "asio")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "local": [True, False],
        "command": [True, False],
    }
    options_description = {
        "local": "kftrain::local: the API server, the kubelet and the local cluster",
        "command": "the command kftrain; needs local",
    }
    default_options = {"shared": False, "fPIC": True, "local": True, "command": False}
    implements = ["auto_shared_fpic"]
    no_copy_source = True
    exports_sources = (
        "CMakeLists.txt", "LICENSE", "README.md", "cmake/*", "docs/*", "examples/*", "include/*", "packaging/*",
        "src/*",
    )

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "include/kftrain/version.hpp"))
        self.version = self.version or re.search(r'return "([\d.]+)"', text).group(1)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("boost/[>=1.81 <2]", transitive_headers=True)
        self.requires("openssl/[>=3 <4]")
        self.requires("libyaml/[>=0.2.5 <1]")
        if self.options.local:
            self.requires("re2/[>=20220601]")
        # Only sources of kftrain include these two.
        self.requires("range-v3/[>=0.12 <1]", visible=False)
        if self.options.command:
            self.requires("cli11/[>=2.1 <3]", visible=False)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration(f"kftrain supports os=Linux, got {self.settings.os}")
        oldest = {"gcc": "12", "clang": "19"}
        compiler = str(self.settings.compiler)
        if compiler not in oldest:
            raise ConanInvalidConfiguration(f"kftrain supports compiler=gcc or clang, got {compiler}")
        if Version(self.settings.compiler.version) < oldest[compiler]:
            raise ConanInvalidConfiguration(
                f"kftrain needs {compiler} {oldest[compiler]} or later, got {self.settings.compiler.version}")
        if self.options.command and not self.options.local:
            raise ConanInvalidConfiguration("the option command=True needs local=True, got local=False")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["KFTRAIN_BUILD_LOCAL"] = bool(self.options.local)
        toolchain.cache_variables["KFTRAIN_BUILD_COMMAND"] = bool(self.options.command)
        toolchain.cache_variables["KFTRAIN_BUILD_TESTS"] = False
        # Conan would place the sandbox helper in bin/kftrain, which is the command.
        toolchain.blocks.remove("output_dirs")
        toolchain.cache_variables["CMAKE_INSTALL_LIBDIR"] = "lib"
        toolchain.cache_variables["CMAKE_INSTALL_LIBEXECDIR"] = "res"
        toolchain.cache_variables["KFTRAIN_CMAKE_DIR"] = "lib/kftrain"
        toolchain.cache_variables["CMAKE_UNITY_BUILD"] = True
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="kftrain_installed")

    def package(self):
        CMake(self).install()
        for source in ("LICENSE", "packaging/licenses/range-v3.txt"):
            copy(self, os.path.basename(source), os.path.join(self.source_folder, os.path.dirname(source)),
                 os.path.join(self.package_folder, "licenses"))
        if self.options.command:
            copy(self, "CLI11.txt", os.path.join(self.source_folder, "packaging/licenses"),
                 os.path.join(self.package_folder, "licenses"))
        # CMakeDeps and PkgConfigDeps describe the package instead. The place of the sandbox helper remains.
        for pattern in ("kftrainConfig*.cmake", "kftrainTargets*.cmake", "Find*.cmake"):
            rm(self, pattern, os.path.join(self.package_folder, "lib/kftrain"))
        rmdir(self, os.path.join(self.package_folder, "lib/pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "kftrain")
        self.cpp_info.set_property("cmake_target_name", "kftrain::kftrain")
        self.cpp_info.set_property("pkg_config_name", "kftrain")
        self._component("core", ["boost::headers", "boost::json", "libyaml::libyaml"])
        self._component("kube", ["core", "boost::url", "openssl::ssl", "openssl::crypto"])
        self.cpp_info.components["kube"].system_libs = ["pthread"]
        self._component("training", ["kube"])
        self.cpp_info.components["training"].system_libs = ["m"]
        self._component("control", ["kube"])
        if self.options.local:
            self._component("local", ["control", "re2::re2"])
            self.cpp_info.components["local"].system_libs = ["dl"]
            self.cpp_info.set_property("cmake_build_modules", [os.path.join("lib", "kftrain", "kftrainHelper.cmake")])

    def _component(self, name, requires):
        component = self.cpp_info.components[name]
        component.libs = [f"kftrain_{name}"]
        component.requires = requires
        component.set_property("cmake_target_name", f"kftrain::{name}")
        component.set_property("pkg_config_name", f"kftrain-{name}")
