#ifndef KFTRAIN_SRC_APISERVER_STORE_SELECTOR_HPP
#define KFTRAIN_SRC_APISERVER_STORE_SELECTOR_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/model/selector.hpp>

#include <string>
#include <string_view>

namespace kftrain::apiserver {

/// Which objects a list or watch delivers.
class selector {
public:
    selector() = default;

    /// 400 for bad syntax or a field that the kind cannot be selected by.
    static answer<selector> parse(resource_definition const&, std::string_view ns, std::string_view labels,
                                  std::string_view fields);

    bool matches(stored_object const&) const;

private:
    std::string namespace_;
    label_query labels_;
    field_query fields_;
};

} // namespace kftrain::apiserver

#endif
