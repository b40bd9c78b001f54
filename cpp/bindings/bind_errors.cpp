#include "bind.h"
#include "convert.h"

namespace talefold::python {

void BindErrors(py::module_& module) {
  py::register_local_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      try {
        const py::object exception = ToPython(error);
        PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
      } catch (py::error_already_set& interrupt) {
        interrupt.restore();  // e.g. KeyboardInterrupt while the exception was made
      }
    }
  });
  module.def("error_table", [] {
    py::list table;
    for (const ErrorInfo& info : ErrorTable()) {
      table.append(
          py::make_tuple(static_cast<int>(info.code), info.name, info.meaning));
    }
    return table;
  });
}

}  // namespace talefold::python
