#ifndef KFTRAIN_SRC_CONVERT_READ_SOURCE_HPP
#define KFTRAIN_SRC_CONVERT_READ_SOURCE_HPP

#include "model/codec/tolerant_decode.hpp"

#include <kftrain/convert/mx_job.hpp>
#include <kftrain/convert/pytorch_job.hpp>

namespace kftrain::convert {

/// What a document holds. Fields that the type does not have are kept, for the conversion to tell of.
template <class Source> result<Source> read_source(detail::document_reader& document) {
    Source source;
    if (auto r = detail::decode_tolerantly(document, descriptor_of<Source>(), &source); !r) return r.error();
    return source;
}

// As the public functions of these names, for a document that is read for other questions, too.
result<bool> is_old_pytorch_job(detail::document_reader&);
result<converted<pytorch_job>> read_old_pytorch_job(detail::document_reader&);
result<bool> is_old_mx_job(detail::document_reader&);
result<converted<mx_job>> read_old_mx_job(detail::document_reader&);

} // namespace kftrain::convert

#endif
