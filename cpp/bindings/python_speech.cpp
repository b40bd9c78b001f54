#include "python_speech.h"

#include <bit>
#include <cstring>
#include <utility>
#include <vector>

namespace talefold::python {

namespace {

// Text of the host's code, whatever it holds.
std::string Lenient(const py::object& text) {
  const auto bytes = py::reinterpret_steal<py::bytes>(
      PyUnicode_AsEncodedString(py::str(text).ptr(), "utf-8", "replace"));
  if (!bytes) throw py::error_already_set();
  return bytes;
}

Error ToError(const py::object& exception) {
  const py::object own = py::module_::import("talefold.errors").attr("TalefoldError");
  if (py::isinstance(exception, own)) {
    return Error(static_cast<ErrorCode>(exception.attr("code").cast<int>()),
                 Lenient(exception.attr("message")), Lenient(exception.attr("hint")));
  }
  return Error(
      ErrorCode::SpeechFailed,
      Lenient(py::type::of(exception).attr("__name__")) + ": " + Lenient(exception));
}

// An exception may fail to say what it is.
Error ToError(const py::error_already_set& raised) {
  try {
    return ToError(py::reinterpret_borrow<py::object>(raised.value()));
  } catch (const py::error_already_set&) {
    return Error(ErrorCode::SpeechFailed, "the speech backend raised an exception");
  }
}

void CheckInterpreter() {
  if (!InterpreterIsGone()) return;
  throw Error(ErrorCode::SpeechFailed, "the interpreter is exiting");
}

// The samples of a buffer, whatever its alignment.
std::vector<std::int16_t> Samples(const py::buffer_info& buffer) {
  const std::string native = std::endian::native == std::endian::little ? "<h" : ">h";
  const bool shorts = buffer.format == "h" || buffer.format == native;
  const bool bytes =
      (buffer.format == "B" || buffer.format == "c") && buffer.size % 2 == 0;
  const bool contiguous =
      buffer.ndim == 1 && (buffer.size < 2 || buffer.strides[0] == buffer.itemsize);
  if (!contiguous || !(shorts || bytes)) {
    throw py::type_error(
        "samples must be one contiguous row of 16-bit integers: a numpy array of "
        "int16, "
        "array(\"h\") or bytes; not " +
        std::to_string(buffer.ndim) + " dimension(s) of \"" + buffer.format + "\"");
  }
  const auto size = static_cast<std::size_t>(buffer.size * buffer.itemsize);
  std::vector<std::int16_t> samples(size / sizeof(std::int16_t));
  if (size > 0) std::memcpy(samples.data(), buffer.ptr, size);
  return samples;
}

}  // namespace

bool SpeechCall::Give(std::int64_t sample_rate, const py::buffer& buffer) {
  if (stopped()) return false;
  const std::int32_t rate = Int32(sample_rate, "sample_rate");
  const std::vector<std::int16_t> samples = Samples(buffer.request());
  // Comes back even at exit, unlike ReleaseGil: closing the engine waits for the turn,
  // and the turn for this thread.
  py::gil_scoped_release no_gil;
  return (*sink_)(rate, samples);
}

void PythonSpeech::CheckVoice(const std::string& voice, std::int32_t speaker_id) {
  CheckInterpreter();
  py::gil_scoped_acquire gil;
  const CallbackScope scope;
  try {
    backend_.get().attr("check_voice")(voice, speaker_id);
  } catch (const py::error_already_set& raised) {
    if (!raised.matches(PyExc_Exception)) throw;
    throw ToError(raised);
  }
}

void PythonSpeech::Synthesize(const SpeechRequest& request, const AudioSink& sink,
                              const SpeechStop& stop) {
  CheckInterpreter();
  py::gil_scoped_acquire gil;
  const CallbackScope scope;
  const auto call = std::make_shared<SpeechCall>(sink, stop);
  const struct Ender {  // Python may keep the call
    SpeechCall& call;
    ~Ender() { call.End(); }
  } ender{*call};
  try {
    backend_.get().attr("synthesize")(call, request.text, request.voice,
                                      request.speaker_id, request.speed);
  } catch (const py::error_already_set& raised) {
    throw ToError(raised);
  }
}

}  // namespace talefold::python
