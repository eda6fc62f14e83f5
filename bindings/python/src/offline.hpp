#ifndef KFTRAIN_PYTHON_OFFLINE_HPP
#define KFTRAIN_PYTHON_OFFLINE_HPP

#include <pybind11/pybind11.h>

namespace kftrain::python {

void bind_offline(pybind11::module_& m);

} // namespace kftrain::python

#endif
