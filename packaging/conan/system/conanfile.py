from conan import ConanFile

# Component: libraries of the system that it links. A package without components has the key None.
PACKAGES = {
    "boost": ("Boost", {"headers": [], "json": ["boost_json"], "url": ["boost_url"]}),
    "openssl": ("OpenSSL", {"crypto": ["crypto"], "ssl": ["ssl"]}),
    "libyaml": ("yaml", {None: ["-lyaml"]}),  # a plain yaml would be the target of that name, which is this package
    "re2": ("re2", {None: ["re2"]}),
    "range-v3": ("range-v3", {None: []}),
    "cli11": ("CLI11", {None: []}),
}
TARGETS = {
    "boost": "Boost::{}",
    "openssl": "OpenSSL::{}",
    "libyaml": "yaml",
    "re2": "re2::re2",
    "range-v3": "range-v3::range-v3",
    "cli11": "CLI11::CLI11",
}
NAMES = {"crypto": "Crypto", "ssl": "SSL"}
# The definitions of the package config of Debian's Boost, apart from NAME_DYN_LINK and NAME_NO_LIB of each library.
LINKED = {"json": ["CONTAINER", "JSON"], "url": ["URL"]}


class SystemPackage(ConanFile):
    """A package of the distribution under the name that it has in ConanCenter, for builds without a remote.

    `conan export packaging/conan/system --name boost --version 1.81.0` adds one to the local cache.
    """

    settings = "os", "arch", "compiler", "build_type"
    package_type = "shared-library"

    def package_info(self):
        file_name, components = PACKAGES[self.name]
        self.cpp_info.set_property("cmake_file_name", file_name)
        for name, libs in components.items():
            info = self.cpp_info.components[name] if name else self.cpp_info
            info.includedirs, info.libdirs, info.bindirs, info.system_libs = [], [], [], libs
            info.set_property("cmake_target_name", TARGETS[self.name].format(NAMES.get(name, name)))
            for library in LINKED.get(name, []):
                info.defines += [f"BOOST_{library}_DYN_LINK", f"BOOST_{library}_NO_LIB"]
            if name not in (None, "headers", "crypto"):
                info.requires = ["headers"] if self.name == "boost" else ["crypto"]
