#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/kinds/types.hpp>

#include <kftrain/kinds/all.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/type_table.hpp>

namespace kftrain {

KFTRAIN_TABLE(mixed_list)

namespace {

template <class... Kinds> std::vector<object_type const*> all(job_list<Kinds...>) {
    std::vector<object_type const*> types{&object_type_of<Kinds>..., object_type_of<Kinds>.list...};
    types.insert(types.end(), object_types().begin(), object_types().end());
    types.push_back(&plain_type_of<mixed_list>);
    return types;
}

} // namespace

std::span<object_type const* const> known_types() noexcept {
    static std::vector<object_type const*> const types = all(known_jobs());
    return types;
}

object_type const* find_type(std::string_view api_version, std::string_view kind) noexcept {
    return find_object_type(known_types(), api_version, kind);
}

result<document_type> type_of_document(std::string_view text, decode_options const& options) {
    decode_options lenient = options;
    lenient.strict = false;
    return from_yaml<document_type>(text, lenient);
}

} // namespace kftrain
