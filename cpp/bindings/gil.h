// Rules of the global interpreter lock (GIL) at the border.
//
// Every call into the library releases it: a worker may hold a lock of the library
// while it waits for the GIL in the log sink. Every callback takes it, and does nothing
// once the interpreter is finalizing.
//
// Before Python 3.14 a thread that asks for the GIL of a finalizing interpreter is
// ended by unwinding its stack, which C++ answers with std::terminate. Hence BeginExit:
// from then on (atexit, before finalization) no thread but the exiting one asks for it.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "talefold/engine.h"

namespace talefold::python {

namespace py = pybind11;

inline std::atomic<std::thread::id> exiting_thread{};

// Called at exit, with the GIL, by the thread that ends the interpreter.
inline void BeginExit() { exiting_thread = std::this_thread::get_id(); }

inline bool IsExiting() { return exiting_thread.load() != std::thread::id(); }

// A daemon thread that comes back when the interpreter is leaving waits for the end of
// the process.
[[noreturn]] inline void ParkForever() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

inline bool InterpreterIsGone() {
  if (IsExiting()) return true;
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

// Releases the GIL in its scope.
class ReleaseGil {
 public:
  ReleaseGil() : state_(PyEval_SaveThread()) {}
  ~ReleaseGil() {
    if (IsExiting() && exiting_thread.load() != std::this_thread::get_id()) {
      ParkForever();
    }
    PyEval_RestoreThread(state_);
  }
  ReleaseGil(const ReleaseGil&) = delete;
  ReleaseGil& operator=(const ReleaseGil&) = delete;

 private:
  PyThreadState* state_;
};

using NoGil = py::call_guard<ReleaseGil>;

// A Python object that any thread may drop without the GIL.
class HeldObject {
 public:
  // With the GIL held.
  explicit HeldObject(py::object held) : held_(std::move(held)) {}
  HeldObject(const HeldObject&) = delete;
  HeldObject& operator=(const HeldObject&) = delete;
  ~HeldObject() {
    if (InterpreterIsGone()) {
      held_.release();  // its memory is no longer ours to free
      return;
    }
    py::gil_scoped_acquire gil;
    held_.release().dec_ref();
  }

  const py::object& get() const { return held_; }

 private:
  py::object held_;
};

// Marks the thread as one that runs Python for the library.
class CallbackScope {
 public:
  CallbackScope() : outer_(std::exchange(running_, true)) {}
  ~CallbackScope() { running_ = outer_; }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

  static bool running() { return running_; }

 private:
  inline static thread_local bool running_ = false;
  const bool outer_;
};

// Throws AgentBusy on a thread that runs Python for the library: what `call` waits for
// may be the work that this callback is a part of.
inline void RefuseInCallback(const std::string& call) {
  if (!CallbackScope::running()) return;
  throw Error(ErrorCode::AgentBusy,
              call + " was called by a callback, for whose end it would wait",
              "call it from another thread");
}

// A Python callable that any thread may call, copy and drop without the GIL.
class Callback {
 public:
  // With the GIL held.
  explicit Callback(py::function function)
      : function_(std::make_shared<HeldObject>(std::move(function))) {}

  // Whether the callable returned something true; false when it raised.
  template <typename... Args>
  bool operator()(const Args&... args) const {
    if (InterpreterIsGone()) return false;
    py::gil_scoped_acquire gil;
    const CallbackScope scope;
    try {
      return py::bool_(function_->get()(args...));
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable(function_->get());
      return false;
    }
  }

 private:
  std::shared_ptr<HeldObject> function_;
};

// Destroys an engine, which waits for its workers, without the GIL they may need. The
// garbage collector may run inside a callback, on such a worker: then another thread
// does it.
struct DeleteEngine {
  void operator()(Engine* engine) const {
    if (CallbackScope::running()) {
      std::thread([engine] { delete engine; }).detach();
      return;
    }
    ReleaseGil no_gil;
    delete engine;
  }
};

}  // namespace talefold::python
