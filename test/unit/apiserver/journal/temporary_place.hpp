#ifndef KFTRAIN_TEST_UNIT_APISERVER_JOURNAL_TEMPORARY_PLACE_HPP
#define KFTRAIN_TEST_UNIT_APISERVER_JOURNAL_TEMPORARY_PLACE_HPP

#include "support/temporary_directory.hpp"

namespace sample {

/// A directory that does not exist yet, in a temporary one that is removed.
struct temporary_place {
    std::string read() const { return parent.read("data/journal"); }
    void write(std::string const& text) const { parent.write("data/journal", text); }

    kftrain::test::temporary_directory parent;
    std::filesystem::path directory = parent.path / "data";
    std::filesystem::path file = directory / "journal";
};

} // namespace sample

#endif
