#include "bind.h"

PYBIND11_MODULE(_core, module) {
  using namespace talefold::python;
  module.attr("__version__") = TALEFOLD_VERSION;
  BindErrors(module);
#ifdef TALEFOLD_WITH_LLAMA
  BindBareModel(module);
#endif
  BindFormats(module);
  BindGraph(module);
  BindSpeech(module);
  BindTools(module);
  BindTurn(module);
  BindAgent(module);
  BindScene(module);
  BindEngine(module);
  BindContent(module);
}
