import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout


class TestPackageConan(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    test_type = "explicit"

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires(self.tested_reference_str, run=True)  # also of a static package, for its command

    def generate(self):
        options = self.dependencies["kftrain"].options
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["WITH_LOCAL"] = str(options.local) == "True"
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        for program in ("render_job", "cluster"):
            path = os.path.join(self.cpp.build.bindir, program)
            if os.path.exists(path):
                self.run(path, env="conanrun")
        if str(self.dependencies["kftrain"].options.command) == "True":
            self.run("kftrain --version", env="conanrun")
