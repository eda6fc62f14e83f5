#ifndef KFTRAIN_JOB_INJECTED_FILE_HPP
#define KFTRAIN_JOB_INJECTED_FILE_HPP

#include <cstdint>
#include <optional>
#include <string>

namespace kftrain {

/// A file that the operator injects into a container.
struct injected_file {
    injected_file() = default;

    std::string path;                ///< in the container
    std::int32_t mode = 0644;        ///< permission bits
    std::string source;              ///< kind and name of the object that contains it: `ConfigMap pi-config`
    std::optional<std::string> text; ///< absent if secret or not text

    friend bool operator==(injected_file const&, injected_file const&) = default;
};

} // namespace kftrain

#endif
