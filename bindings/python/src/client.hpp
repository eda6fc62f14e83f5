#ifndef KFTRAIN_PYTHON_CLIENT_HPP
#define KFTRAIN_PYTHON_CLIENT_HPP

#include <pybind11/pybind11.h>

namespace kftrain::python {

void bind_client(pybind11::module_& m);
void bind_cluster(pybind11::module_& m);

} // namespace kftrain::python

#endif
