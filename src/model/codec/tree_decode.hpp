#ifndef KFTRAIN_SRC_MODEL_CODEC_TREE_DECODE_HPP
#define KFTRAIN_SRC_MODEL_CODEC_TREE_DECODE_HPP

#include <kftrain/model/codec.hpp>

#include <boost/json/fwd.hpp>

namespace kftrain::detail {

/** decode_json() of a tree that was read already, with the same result as that of its compact text. That is written only where
    the tree does not fit, to say why, with lines and columns of the text, or goes beyond decode_options::max_memory, which is
    more for a long text. Options must not be strict. */
result<void> decode_tree(boost::json::value const& tree, model::descriptor const& type, void* target,
                         decode_options const& options = {});
/// The same for an object that stands by itself.
result<void> decode_tree(boost::json::object const& tree, model::descriptor const& type, void* target,
                         decode_options const& options = {});

} // namespace kftrain::detail

#endif
