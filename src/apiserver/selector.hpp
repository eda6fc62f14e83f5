#ifndef KFTRAIN_SRC_APISERVER_SELECTOR_HPP
#define KFTRAIN_SRC_APISERVER_SELECTOR_HPP

#include <kftrain/apiserver/object_store.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

/** Which objects a list or watch delivers.
    @par Upstream apimachinery `pkg/labels/selector.go`, `pkg/fields/selector.go` */
class selector {
public:
    selector() = default;

    /// 400 for bad syntax or a field that the kind cannot be selected by.
    static answer<selector> parse(resource_definition const&, std::string_view ns, std::string_view labels,
                                  std::string_view fields);

    bool matches(stored_object const&) const;

private:
    enum class op { exists, absent, in, not_in, above, below };
    struct requirement {
        std::string key;
        op what = op::exists;
        std::vector<std::string> values;
    };
    struct field {
        std::string path;
        std::string value;
        bool equal = true;
    };
    class label_parser;

    std::string namespace_;
    std::vector<requirement> labels_;
    std::vector<field> fields_;
};

} // namespace kftrain::apiserver

#endif
