#ifndef KFTRAIN_SRC_APISERVER_JSON_JSON_PATH_HPP
#define KFTRAIN_SRC_APISERVER_JSON_JSON_PATH_HPP

#include "apiserver/json/json_access.hpp"

namespace kftrain::apiserver {

/** The value that a printer column shows: `.a.b`, `.a\.b`, `[2]`, `[-1:]`, `[?(@.type=="Ready")]`.
    Null when there is none, also when the path itself is not of this form. */
json::value const* find_path(json::object const& o, std::string_view path);
/// Whether find_path() understands it.
bool is_path(std::string_view path);

} // namespace kftrain::apiserver

#endif
