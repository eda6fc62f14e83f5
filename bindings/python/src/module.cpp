#include "api.hpp"
#include "client.hpp"
#include "engine.hpp"
#include "informer.hpp"
#include "objects.hpp"
#include "offline.hpp"
#include "value.hpp"

#include <kftrain/version.hpp>

PYBIND11_MODULE(_core, m) {
    namespace python = kftrain::python;
    m.doc() = "The C++ library behind the package kftrain. Not for direct use.";
    m.attr("version") = std::string(kftrain::version());
    python::bind_values(m);
    python::bind_offline(m);
    python::bind_engine(m);
    python::bind_objects(m);
    python::bind_client(m);
    python::bind_api(m);
    python::bind_commands(m);
    python::bind_informer(m);
    python::bind_cluster(m);
}
