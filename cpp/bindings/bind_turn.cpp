#include <chrono>

#include "bind.h"
#include "convert.h"

namespace talefold::python {

void BindTurn(py::module_& module) {
  using std::chrono::milliseconds;

  py::class_<Turn>(module, "Turn")
      .def("id", &Turn::id, NoGil())
      .def("done", &Turn::done, NoGil())
      .def("poll", &Turn::Poll, NoGil())
      .def(
          "wait_event",
          [](Turn& turn, std::int64_t timeout_ms) {
            return turn.WaitEvent(milliseconds(timeout_ms));
          },
          py::arg("timeout_ms"), NoGil())
      .def(
          "wait",
          [](const Turn& turn, std::int64_t timeout_ms) {
            return turn.Wait(milliseconds(timeout_ms));
          },
          py::arg("timeout_ms"), NoGil())
      .def("result", &Turn::Result, NoGil())
      .def("cancel", &Turn::Cancel, NoGil())
      .def(
          "resolve", [](Turn& turn, const Text& option) { turn.Resolve(option.utf8); },
          py::arg("option"), NoGil())
      .def(
          "set_listener",
          [](Turn& turn, const std::optional<py::function>& listener) {
            std::function<void()> function;
            if (listener) function = Callback(*listener);
            ReleaseGil no_gil;
            turn.SetListener(std::move(function));
          },
          py::arg("listener"));
}

}  // namespace talefold::python
