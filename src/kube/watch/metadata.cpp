#include <kftrain/kube/metadata.hpp>

namespace kftrain::kube::detail {

page_request paging<metadata_api>::requests(metadata_api const& a) {
    return [type = a.type().share(), ns = a.get_namespace()](list_options const& o) {
        return request::metadata_only(request::list(*type->info, ns, o), request::metadata_form::list);
    };
}

std::function<result<void>(std::string_view, object_list<object_metadata>&)>
paging<metadata_api>::decoder(metadata_api const& a) {
    return [ns = a.get_namespace()](std::string_view text, list& into) { return decode_listed(ns, text, into); };
}

} // namespace kftrain::kube::detail
