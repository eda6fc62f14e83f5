#ifndef KFTRAIN_TEST_FUZZ_DOCUMENTS_HPP
#define KFTRAIN_TEST_FUZZ_DOCUMENTS_HPP

#include <kftrain/model/codec.hpp>

#include <boost/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace fuzz {

namespace json = boost::json;

/// Throws std::runtime_error with `what` unless it holds.
void require(bool holds, std::string_view what);

/// Parses a text with Boost.JSON; returns nothing if Boost.JSON rejects it. The limit of depth is that of
/// decode_options.
std::optional<json::value> parse(std::string_view text);

/** The path where a document changes when it is decoded as `type` and encoded again; empty if nowhere.
    Absent, null and empty values are one, spellings of the same number, time, quantity and so on as well, and fields
    that the type cannot keep do not count. */
std::string lost(kftrain::model::descriptor const& type, json::value const& before, json::value const& after);

/// The targets. Each throws if something that must hold for every text does not hold for this one.
void try_json(std::string_view text);
void try_yaml(std::string_view text);
void try_quantity(std::string_view text);
void try_selector(std::string_view text);
void try_manifest(std::string_view text);

} // namespace fuzz

#endif
