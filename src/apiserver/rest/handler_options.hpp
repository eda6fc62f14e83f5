#ifndef KFTRAIN_SRC_APISERVER_REST_HANDLER_OPTIONS_HPP
#define KFTRAIN_SRC_APISERVER_REST_HANDLER_OPTIONS_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/kube/message.hpp>

#include "apiserver/rest/media_type.hpp"
#include "apiserver/rest/request_target.hpp"
#include "apiserver/rest/table.hpp"

// What requests say in their query, their media types and DeleteOptions.
namespace kftrain::apiserver {

/// 400 for a dry run, which this server does not do, and for unknown values of fieldValidation.
answer<void> check_options(request_target const&);
/// Warnings of unknown and repeated fields of a body whose kind has a type, or 400; none unless the query has fieldValidation.
answer<std::vector<std::string>> judge_text(request_target const&, resource_definition const&, std::string_view body);
/// What the query says about unknown fields; warn, unless it says anything.
field_validation validation_of(request_target const&);
/// 415 unless the body, if there is one, is of this type.
answer<void> check_body_type(kube::http_request const&, std::string_view accepted);
/// What rows of a table are to carry; nothing if no table is wanted.
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
