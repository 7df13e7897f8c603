"""The compiler's two pipelines: for what Python calls, and for what only compiled code calls.

Numba compiles every function separately, with wrappers for Python around it. A search and a game have sixty to a hundred functions, of which Python calls one: the
`Compiler` makes it, as Numba would. All others are only ever linked into their callers: the `InnerCompiler` stops at LLVM's intermediate code, and
nothing is optimised or emitted until the whole is there. Compiling takes little more than half as long, and the code is the same.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering
from numba.core.untyped_passes import IRProcessing

from kibitz.core.compiling import references
from kibitz.core.compiling.option_folding import FoldOptions

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of variables begin that lead from code to its Python objects
WRAPPERS = ("wrapper", "cfunc_wrapper")  # modules by which Python calls a function
NOWHERE = 0  # the address of machine code that is not there


class Body(JITCodeLibrary):  # type: ignore[misc]
    """A function, with all that it calls, as intermediate code to be linked into its callers."""

    def add_llvm_module(self, ll_module: Any) -> None:
        references.rename(ll_module)
        super().add_llvm_module(ll_module)

    def _optimize_functions(self, ll_module: Any) -> None:
        """As Numba does it, but for declarations, of which there are many and nothing to optimise."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def finalize(self) -> None:
        """Link what is called, and leave it at that."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        if references.count_by_themselves(others(self)):
            references.mark(self._final_module)
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """What goes to disk: there is no object code."""
        self._ensure_finalized()
        return self.name, self._final_module.as_bitcode()

    @classmethod
    def restored(cls, codegen: Any, name: str, bitcode: bytes) -> Body:
        """From what `serialize_using_object_code` gave."""
        body = cls(codegen, name)
        body._final_module = binding.parse_bitcode(bitcode)
        body._finalized = True
        return body


class Entry(JITCodeLibrary):  # type: ignore[misc]
    """The function that Python calls, with all that it calls, as machine code."""

    def add_llvm_module(self, ll_module: Any) -> None:
        if ll_module.name not in WRAPPERS:
            references.rename(ll_module)
        super().add_llvm_module(ll_module)

    def _optimize_final_module(self) -> None:
        if references.count_by_themselves(others(self)):
            references.mark(self._final_module)
        references.decide(self._final_module)
        super()._optimize_final_module()


def others(library: Any) -> list[Any]:
    """What a library calls that was not compiled here."""
    return [called for called in library._linking_libraries if not isinstance(called, Body)]


def restored(target_context: Any, libdata: tuple[str, bytes], fndesc: Any, env: Any, signature: Any, *rest: Any) -> CompileResult:
    """A function of the InnerCompiler from disk: what CompileResult._rebuild is for others."""
    objectmode, lifted, annotation, reload_init, referenced = rest
    for function in reload_init:
        function()
    library = Body.restored(target_context.codegen(), *libdata)
    return CompileResult(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=env,
        entry_point=_stand_in(fndesc, library, env),
        fndesc=fndesc,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=referenced,  # kept alive here until the caller's code is there to point to them
    )


def called_outside(library: Any) -> list[str]:
    """What machine code needs that is not in it: functions of Python, Numba and the system, by the names under which the linker must find them."""
    module = library._final_module
    return sorted(f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm."))


def _stand_in(fndesc: Any, library: Body, env: Any) -> Any:
    """What Numba knows the compiled function by. Nobody calls it: bound functions are reached through their entry alone."""
    return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "inner function", NOWHERE, env, (library,))


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):  # type: ignore[misc]
    """To intermediate code, and no further."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = Body(state.targetctx.codegen(), state.func_id.func_qualname)
        NativeLowering.run_pass(self, state)
        made = state["cr"]
        state.library.finalize()
        entry = _stand_in(made.fndesc, state.library, made.env)
        state.targetctx.insert_user_function(entry, made.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = made._replace(cfunc=entry)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):  # type: ignore[misc]
    """To machine code; then every function in it is shown its environment, which inner functions could not be."""

    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = Entry(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        if state.targetctx.data_model_manager[state.return_type].contains_nrt_meminfo():
            references.mark(state.library._final_module)  # Python is handed a reference of its own
        NativeLowering.run_pass(self, state)
        for variable in state.library._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    state.library.codegen.set_env(variable.name, environment)
        return True


class Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual pipeline with the options folded in front of it, for functions that Python calls."""

    lowering: Any = EntryLowering

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(FoldOptions, IRProcessing)
        pipeline.passes = [(self.lowering if one is NativeLowering else one, about) for one, about in pipeline.passes]
        pipeline.finalize()
        return [pipeline]


class InnerCompiler(Compiler):
    """The same for functions that only compiled code calls."""

    lowering = InnerLowering

    def define_pipelines(self) -> list[Any]:
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return super().define_pipelines()
