#include "bind.h"
#include "python_speech.h"

namespace talefold::python {

void BindSpeech(py::module_& module) {
  py::class_<SpeechCall, std::shared_ptr<SpeechCall>>(module, "SpeechCall")
      .def("give", &SpeechCall::Give, py::arg("sample_rate"), py::arg("samples"))
      .def("stopped", &SpeechCall::stopped);
}

}  // namespace talefold::python
