#ifndef KFTRAIN_SRC_MODEL_CODEC_TREE_DECODE_HPP
#define KFTRAIN_SRC_MODEL_CODEC_TREE_DECODE_HPP

#include <kftrain/model/codec.hpp>

#include <boost/json/fwd.hpp>

namespace kftrain::detail {

/** As decode_json(), for a tree that was already read, with the same result as for its compact text. That text is only
    written if the tree does not fit, so that the message has lines and columns, or if decode_options::max_memory is
    exceeded, since the limit is higher for a long text. Options must not be strict. */
result<void> decode_tree(boost::json::value const& tree, model::descriptor const& type, void* target,
                         decode_options const& options = {});
/// The same for an object that stands by itself.
result<void> decode_tree(boost::json::object const& tree, model::descriptor const& type, void* target,
                         decode_options const& options = {});

} // namespace kftrain::detail

#endif
