#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_PATTERN_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_PATTERN_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/schema.hpp>

#include <string_view>

namespace kftrain::apiserver {

/** Compiles a regular expression of a schema. The result returns whether a part of a text matches, in time linear in
    the text and with bounded memory.
    @par Errors `errc::invalid_argument`, with the reason as the message
    @par Upstream Go `regexp/syntax`, which has the syntax of RE2 */
result<text_predicate> compile_pattern(std::string_view text);

} // namespace kftrain::apiserver

#endif
