#ifndef KFTRAIN_SRC_KINDS_OPEN_MPI_IMAGE_HPP
#define KFTRAIN_SRC_KINDS_OPEN_MPI_IMAGE_HPP

#include "base/ascii.hpp"

#include <string>
#include <string_view>

namespace kftrain {

/// Whether the name of an image shows that it has Open MPI 5, as `openmpi-5.0` or `ompi:5` do.
inline bool has_open_mpi_5(std::string_view image) {
    std::string const name = to_lower(image);
    for (std::string_view const what : {"openmpi", "open-mpi", "open_mpi", "ompi"}) {
        auto const at = name.find(what);
        if (at == std::string::npos) continue;
        auto const version = name.find_first_not_of("-_:.v", at + what.size());
        bool const five = version != std::string::npos && name[version] == '5';
        if (five && (version + 1 == name.size() || name[version + 1] < '0' || name[version + 1] > '9')) return true;
    }
    return false;
}

} // namespace kftrain

#endif
