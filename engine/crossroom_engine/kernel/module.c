/* crossroom_engine._kernel: the word engine as Python sees it. */

#include "python.h"

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, *type) : -1;
}

static int kernel_exec(PyObject *module)
{
    ModuleState *state = PyModule_GetState(module);

#if defined(__x86_64__) && defined(__GNUC__)
    if (!__builtin_cpu_supports("popcnt")) {
        PyErr_SetString(PyExc_ImportError, "this processor cannot count bits");
        return -1;
    }
#endif
    if (add_type(module, &words_spec, &state->words) < 0 ||
        add_type(module, &leaves_spec, &state->leaves) < 0 ||
        add_type(module, &generator_spec, &state->generator) < 0)
        return -1;
    return 0;
}

static int kernel_traverse(PyObject *module, visitproc visit, void *arg)
{
    ModuleState *state = PyModule_GetState(module);
    Py_VISIT(state->words);
    Py_VISIT(state->leaves);
    Py_VISIT(state->generator);
    return 0;
}

static int kernel_clear(PyObject *module)
{
    ModuleState *state = PyModule_GetState(module);
    Py_CLEAR(state->words);
    Py_CLEAR(state->leaves);
    Py_CLEAR(state->generator);
    return 0;
}

static PyModuleDef_Slot kernel_slots[] = {{Py_mod_exec, kernel_exec}, {0, NULL}};

static struct PyModuleDef kernel = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_kernel",
    .m_size = sizeof(ModuleState),
    .m_slots = kernel_slots,
    .m_traverse = kernel_traverse,
    .m_clear = kernel_clear,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&kernel); }
