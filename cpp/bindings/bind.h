// One function per concept, each in the file of its name.
#pragma once

#include <pybind11/pybind11.h>

namespace talefold::python {

void BindBareModel(pybind11::module_& module);  // with llama.cpp only
void BindErrors(pybind11::module_& module);
void BindFormats(pybind11::module_& module);  // for the fuzz targets
void BindGraph(pybind11::module_& module);
void BindScene(pybind11::module_& module);
void BindSpeech(pybind11::module_& module);
void BindTools(pybind11::module_& module);
void BindTurn(pybind11::module_& module);
void BindAgent(pybind11::module_& module);
void BindEngine(pybind11::module_& module);
void BindContent(pybind11::module_& module);  // more of the engine

}  // namespace talefold::python
