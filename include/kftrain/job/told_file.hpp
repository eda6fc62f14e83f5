#ifndef KFTRAIN_JOB_TOLD_FILE_HPP
#define KFTRAIN_JOB_TOLD_FILE_HPP

#include <cstdint>
#include <optional>
#include <string>

namespace kftrain {

/// A file by which an operator tells a container something.
struct told_file {
    told_file() = default;

    std::string path;                ///< in the container
    std::int32_t mode = 0644;        ///< permission bits
    std::string source;              ///< the object that holds it, by kind and name: `ConfigMap pi-config`
    std::optional<std::string> text; ///< absent where it is secret or no text

    friend bool operator==(told_file const&, told_file const&) = default;
};

} // namespace kftrain

#endif
