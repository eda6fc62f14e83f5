#ifndef KFTRAIN_TEST_SUPPORT_TEMPORARY_DIRECTORY_HPP
#define KFTRAIN_TEST_SUPPORT_TEMPORARY_DIRECTORY_HPP

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

namespace kftrain::test {

/// A new directory that is removed with this object. Its path is short enough for names of Unix sockets.
class temporary_directory {
public:
    temporary_directory() {
        std::string made = "/tmp/kftrain-test-XXXXXX";
        if (::mkdtemp(made.data()) == nullptr) throw std::runtime_error("no temporary directory can be created");
        path = made;
    }
    temporary_directory(temporary_directory const&) = delete;
    temporary_directory& operator=(temporary_directory const&) = delete;
    ~temporary_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }

    std::string file(std::string const& name) const { return (path / name).string(); }
    bool has(std::string const& name) const { return std::filesystem::exists(path / name); }
    /// Creates or replaces a file; returns its path.
    std::string write(std::string const& name, std::string const& text) const {
        std::filesystem::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
        return file(name);
    }
    /// The text of a file; empty if there is none.
    std::string read(std::string const& name) const {
        std::ifstream in(path / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::filesystem::path path;
};

} // namespace kftrain::test

#endif
