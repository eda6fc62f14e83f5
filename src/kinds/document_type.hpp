#ifndef KFTRAIN_SRC_KINDS_DOCUMENT_TYPE_HPP
#define KFTRAIN_SRC_KINDS_DOCUMENT_TYPE_HPP

#include "model/codec/document_reader.hpp"

#include <kftrain/kinds/types.hpp>

namespace kftrain::detail {

/// As the public function of this name, for a document that is read for other questions, too.
result<document_type> type_of_document(document_reader&, decode_options);

} // namespace kftrain::detail

#endif
