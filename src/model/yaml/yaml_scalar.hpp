#ifndef KFTRAIN_SRC_MODEL_YAML_YAML_SCALAR_HPP
#define KFTRAIN_SRC_MODEL_YAML_YAML_SCALAR_HPP

#include <cstdint>
#include <string>
#include <string_view>

namespace kftrain::detail {

/// The value of an unquoted YAML scalar.
struct yaml_scalar {
    enum class kind { string, null, boolean, integer, number, not_finite };

    kind what = kind::string;
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0;
    std::string text{}; ///< of numbers and booleans: JSON spelling
};

/** Reads it by YAML 1.1 as Kubernetes does.
    @par Upstream sigs.k8s.io/yaml v1.4.0 `goyaml.v2/resolve.go` */
yaml_scalar resolve_yaml_scalar(std::string_view plain);

/** The same with the tag `!!float`, which here marks numbers that JSON can express and a double cannot. An unknown
    field may hold such a number, and without the tag it would read back as a string. Kubernetes refuses it. Its
    `number` is infinite. */
yaml_scalar resolve_yaml_float(std::string_view text);

} // namespace kftrain::detail

#endif
