#ifndef KFTRAIN_SRC_APISERVER_TEXT_JSON_TREE_HPP
#define KFTRAIN_SRC_APISERVER_TEXT_JSON_TREE_HPP

#include <kftrain/base/error.hpp>

#include <boost/json/parse_options.hpp>
#include <boost/json/value.hpp>

#include <string_view>

namespace kftrain::apiserver {

/** Reads JSON as `boost::json::parser` does, but rounds each number correctly. The parser may be off by the last digit,
    so that stored texts would drift when they are read and written again.
    @param read Becomes how much of the text was read: behind the value, or where it is wrong. */
boost::json::value read_tree(std::string_view text, boost::json::parse_options const& grammar,
                             boost::json::storage_ptr memory, std::size_t& read, error_code& ec);

} // namespace kftrain::apiserver

#endif
