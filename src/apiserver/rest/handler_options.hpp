#ifndef KFTRAIN_SRC_APISERVER_REST_HANDLER_OPTIONS_HPP
#define KFTRAIN_SRC_APISERVER_REST_HANDLER_OPTIONS_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/kube/message.hpp>

#include "apiserver/rest/header_fields.hpp"
#include "apiserver/rest/request_target.hpp"
#include "apiserver/tables/table.hpp"

#include <optional>

// The options of requests in their query, media types and DeleteOptions.
namespace kftrain::apiserver {

/** 400 for unknown values of fieldValidation, 422 for those of dryRun and for names of managers that are too long or
    not printable.
    @param options The kind of the options of the request, `CreateOptions` */
answer<void> check_options(request_target const&, std::string_view options);
/// The options of a write. Without `fieldManager` the manager is the program in User-Agent,
/// in printable characters and at most 128 bytes.
write_options write_options_of(kube::http_request const&, request_target const&);
/// 422 for a configuration without a manager.
refusal missing_manager();
/// 422 for the option `force` of any other patch.
refusal forbidden_force();
/// Unknown and repeated fields of a body, as write_options::faults; none unless the query has fieldValidation.
std::vector<std::string> text_faults(request_target const&, resource_definition const&, std::string_view body);
/// The treatment of unknown fields from the query; warn by default.
field_validation validation_of(request_target const&);
/// 415 unless the body, if there is one, is of this type.
answer<void> check_body_type(kube::http_request const&, std::string_view accepted);
/// Returns the request with its body in JSON if it is in YAML; nothing if it is not, or 400.
answer<std::optional<kube::http_request>> read_yaml_body(kube::http_request const&);
/// The objects in the rows of a table; nothing if the request does not accept a table.
answer<std::optional<row_object>> rows_of(request_target const&, media);
/// From the body, or from the query if there is no body.
answer<delete_options> read_remove_options(kube::http_request const&, request_target const&);
/// Without the limit.
list_query read_list_query(request_target const&, std::string_view ns);
/// 422 unless a watch asks for what is there, or not, as servers understand it.
answer<void> check_initial_events(request_target const&);
/// 422 for an option that a list or watch must not have.
refusal forbidden_option(std::string field, std::string why);

} // namespace kftrain::apiserver

#endif
