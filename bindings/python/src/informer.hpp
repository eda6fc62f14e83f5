#ifndef KFTRAIN_PYTHON_INFORMER_HPP
#define KFTRAIN_PYTHON_INFORMER_HPP

#include "api.hpp"

#include <kftrain/kube/any_informer.hpp>

#include <memory>
#include <string>

namespace kftrain::python {

/// Returns a `CoreInformer`.
py::object make_informer(std::shared_ptr<engine> const& where, std::shared_ptr<named_type> type, std::string ns,
                         kube::informer_options options);

void bind_informer(py::module_& m);

} // namespace kftrain::python

#endif
