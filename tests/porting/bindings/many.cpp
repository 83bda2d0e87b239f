// Types, defaults and forms of definitions in pybind11. Most functions have no definition.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <torch/extension.h>

#include "more.h"
#define PAIR std::tuple<at::Tensor, at::Tensor>
using Sizes = std::vector<uint32_t>;
enum class Mode { up, down };
struct Handle {
  int n;
  Handle(int n);
  virtual ~Handle();
  virtual void go();
};
int level();
uintptr_t handle_of(const at::Tensor& x);
void* raw(float* x, c10::ArrayRef<long> sizes);
py::dict tally(py::object x, py::array_t<float> y);
PAIR deep(const std::vector<std::vector<at::Tensor>>& x, std::optional<Sizes> sizes, Mode mode, std::pair<int, int> pad,
          at::ScalarType type, std::array<bool, 3> mask);
void defaults(at::Tensor& out, const at::Tensor x, double eps, std::string mode, Sizes n, c10::optional<at::Tensor> b,
              int64_t from, Mode m);
int count(std::vector<at::Tensor> outs, const std::vector<at::Tensor>& ins, torch::TensorList more, at::Tensor x);
std::pair<std::array<float, 2>, std::vector<double>> results(at::Tensor);
namespace a {
namespace {
template <class T> void hidden(at::Tensor out, T lambda) {}
}  // namespace
void over(at::Tensor x, float y);
void over(const at::Tensor& z, const at::Tensor x);
}  // namespace a
#define BIND(x) m.def(#x, &x)

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  py::enum_<Mode>(m, "Mode").value("up", Mode::up).value("down", Mode::down);
  py::class_<Handle>(m, "Handle").def(py::init<int>()).def("go", &Handle::go).def_readwrite("n", &Handle::n);
  BIND(level);
  BIND(handle_of);
  BIND(raw);
  BIND(tally);
  BIND(deep);
  m.def("defaults", &defaults, py::arg("out"), py::arg("x"), py::arg("eps") = 1e-5, py::arg("mode") = "up",
        py::arg("n") = Sizes{1, 2}, py::arg("b") = py::none(), py::kw_only(), py::arg("from") = -1,
        py::arg("m") = Mode::down);
  m.def("count", &count).def("results", &results);
  m.def("hidden", &a::hidden<float>);
  m.def("over", py::overload_cast<at::Tensor, float>(&a::over));
  m.def("over", static_cast<void (*)(const at::Tensor&, const at::Tensor)>(&a::over));
  m.def("use", [](Handle& h, std::function<int(int)> f) { AT_CHECK(true); h.go(); });
  m.def("kind", [](at::Tensor x, at::ScalarType t, bool c) { return c; }, py::arg("x"), py::arg("t") = torch::kFloat,
        py::arg("c"));
  for (int i = 0; i < 2; i++) m.def("again", [](double x) { return float(x); });
  bind_more(m);
  bind_other(m);
#ifdef WITH_FAST
  m.def("fast", [] {});
#endif
  m.attr("LEVEL") = level();
}
