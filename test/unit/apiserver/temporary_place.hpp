#ifndef KFTRAIN_TEST_UNIT_APISERVER_TEMPORARY_PLACE_HPP
#define KFTRAIN_TEST_UNIT_APISERVER_TEMPORARY_PLACE_HPP

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace sample {

inline std::filesystem::path new_directory() {
    std::string top = (std::filesystem::temp_directory_path() / "kftrain-journal-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(top.data()) != nullptr);
    return top;
}

/// A directory that does not exist yet, in a temporary one that is removed.
struct temporary_place {
    temporary_place() = default;
    temporary_place(temporary_place const&) = delete;
    temporary_place& operator=(temporary_place const&) = delete;
    ~temporary_place() {
        std::error_code ignored;
        std::filesystem::remove_all(parent, ignored);
    }

    std::string read() const {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(std::string const& text) const { std::ofstream(file, std::ios::binary) << text; }

    std::filesystem::path parent = new_directory();
    std::filesystem::path directory = parent / "data";
    std::filesystem::path file = directory / "journal";
};

} // namespace sample

#endif
