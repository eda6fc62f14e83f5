"""Proof of packages.py: it accepts the tree, and reports each fault that is put into a copy of it."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
import packages  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
FILES = ["include/kftrain/version.hpp", "conanfile.py", "packaging/conan/tested.lock", "cmake/dependencies.cmake",
         "packaging/vcpkg/ports/kftrain/vcpkg.json", "packaging/vcpkg/ports/kftrain/portfile.cmake", "CMakeLists.txt",
         "src/facade/submit_job.cpp"]


class Proof(unittest.TestCase):
    def faults_after(self, file, old, new):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name in FILES:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, root / name)
            text = (root / file).read_text()
            self.assertIn(old, text)
            (root / file).write_text(text.replace(old, new))
            return "\n".join(packages.find_faults(root))

    def test_the_tree_has_no_fault(self):
        self.assertEqual(packages.find_faults(ROOT), [])

    def test_another_version_is_reported(self):
        self.assertIn("expected version", self.faults_after(FILES[4], '"version": "', '"version": "9'))

    def test_an_absent_requirement_is_reported(self):
        self.assertIn("lacks re2", self.faults_after("conanfile.py", '"re2/', '"other/'))
        self.assertIn("lacks libyaml", self.faults_after(FILES[4], '"libyaml"', '"other"'))
        self.assertIn("tested.lock: lacks openssl", self.faults_after(FILES[2], '"openssl/', '"other/'))

    def test_an_absent_port_of_a_boost_library_is_reported(self):
        self.assertIn("lacks boost-uuid", self.faults_after(FILES[4], '"boost-uuid"', '"other"'))
        new = "#include <boost/throw_exception.hpp>\n#include <boost/lockfree/queue.hpp>\n"
        self.assertIn("lacks boost-lockfree", self.faults_after(FILES[7], "#include <boost/uuid/uuid_io.hpp>\n", new))

    def test_a_new_dependency_is_reported(self):
        new = "find_package(Threads REQUIRED)\nfind_package(zlib REQUIRED)"
        self.assertIn("zlib has no names", self.faults_after(FILES[3], "find_package(Threads REQUIRED)", new))

    def test_an_option_that_is_not_passed_on_is_reported(self):
        self.assertIn("the option command", self.faults_after("conanfile.py", "KFTRAIN_BUILD_COMMAND", "OTHER"))
        self.assertIn("the feature local", self.faults_after(FILES[5], "KFTRAIN_BUILD_LOCAL", "OTHER"))


if __name__ == "__main__":
    unittest.main()
