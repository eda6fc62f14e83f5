#include "apiserver/definitions/crd_pattern.hpp"

#include <re2/re2.h>

#include <cstdint>
#include <memory>

namespace kftrain::apiserver {
namespace {

constexpr std::int64_t max_memory = 1 << 18; // of a compiled expression and of its matches

re2::StringPiece piece(std::string_view s) { return {s.data(), s.size()}; }

} // namespace

result<text_predicate> compile_pattern(std::string_view text) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(max_memory);
    auto const compiled = std::make_shared<re2::RE2 const>(piece(text), options);
    if (!compiled->ok()) {
        failure why(errc::invalid_argument, {});
        why.detail.message = compiled->error();
        return why;
    }
    return text_predicate([compiled](std::string_view s) { return re2::RE2::PartialMatch(piece(s), *compiled); });
}

} // namespace kftrain::apiserver
