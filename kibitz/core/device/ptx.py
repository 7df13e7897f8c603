"""From a fleet kernel's intermediate code to PTX, the code from which a GPU's driver makes machine code of its own.

LLVM, which compiles for this computer's processor, does it: neither CUDA's tools nor a GPU is needed. The functions are those that the CPU runs; around them
goes an entry in which each thread finds its number. Additions and multiplications are not fused, so that numbers are the CPU's to the bit.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

import llvmlite
from llvmlite import binding

from kibitz.core.compiling import cache, references
from kibitz.core.compiling.binder import CUDA, Bound, bind
from kibitz.core.errors import RulesError
from kibitz.core.records import maths

FORMAT = 3  # raise when the code made here changes
TRIPLE, PROCESSOR = "nvptx64-nvidia-cuda", "sm_75"  # the driver makes code for its own, newer or not
ENTRY = "fleet"
LOCAL_MOST = 96 * 1024  # bytes that a thread may keep to itself: there are a hundred thousand threads and more

SHIM = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @"{function}"(ptr, ptr, i64, ptr)
define ptx_kernel void @{entry}(i64 %count, i64 %apart, ptr %job, ptr %status) {{
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = mul i32 %block, %width
  %number = add i32 %before, %thread
  %place = zext i32 %number to i64
  %i = udiv i64 %place, %apart
  %beside = urem i64 %place, %apart
  %is_there = icmp slt i64 %i, %count
  %is_first = icmp eq i64 %beside, 0
  %is_one = and i1 %is_there, %is_first
  br i1 %is_one, label %run, label %end
run:
  %returned = alloca i64
  %fault = alloca ptr
  %code = call i32 @"{function}"(ptr %returned, ptr %fault, i64 %i, ptr %job)
  %is_well = icmp eq i32 %code, 0
  %is_none = icmp eq i32 %code, -2
  %is_fine = or i1 %is_well, %is_none
  br i1 %is_fine, label %end, label %told
told:
  store i32 1, ptr %status
  br label %end
end:
  ret void
}}
"""
ROUNDED = """
declare double @llvm.{name}.f64(double)
define double @"{name}"(double %x) alwaysinline {{
  %y = call double @llvm.{name}.f64(double %x)
  ret double %y
}}
"""
REAL = """
declare i32 @"{function}"(ptr, ptr{types})
define double @"kibitz.{name}"({parameters}) {{
  %returned = alloca double
  %fault = alloca ptr
  %code = call i32 @"{function}"(ptr %returned, ptr %fault{arguments})
  %y = load double, ptr %returned
  ret double %y
}}
"""
# What a GPU has an instruction for, and what it is given in place of the system's own.
EXACT = ("sqrt", "floor", "ceil", "trunc", "fabs", "rint")
REALS: dict[str, tuple[Any, int]] = {
    "log": (maths.log, 1),
    "exp": (maths.exp, 1),
    "pow": (maths.power, 2),
    "tanh": (maths.tanh, 1),
    "erf": (maths.erf, 1),
}
# x86's own instruction, by means of those that every processor has: the place of the bit of `mask` with as many below it as `source` has zeros
SPREAD = """
declare i64 @llvm.cttz.i64(i64, i1)
define i64 @"kibitz.pdep"(i64 %source, i64 %mask) alwaysinline {
begin:
  %below = call i64 @llvm.cttz.i64(i64 %source, i1 false)
  br label %look
look:
  %left = phi i64 [ %below, %begin ], [ %fewer, %next ]
  %rest = phi i64 [ %mask, %begin ], [ %without, %next ]
  %is_there = icmp eq i64 %left, 0
  br i1 %is_there, label %end, label %next
next:
  %less = sub i64 %rest, 1
  %without = and i64 %rest, %less
  %fewer = sub i64 %left, 1
  br label %look
end:
  %negative = sub i64 0, %rest
  %bit = and i64 %rest, %negative
  ret i64 %bit
}
"""
# Atomic operations are seen by the threads of the GPU, and need not be by anybody else. To acquire would empty a multiprocessor's cache for all of its threads, thousands of
# times a millisecond: where threads share records all of these are read past that cache (see `source`), and what is read next waits for what was read, for its address or a branch.
ATOMIC = re.compile(
    r"^(.*(?:atomicrmw|cmpxchg|load atomic|store atomic|fence) .*?)((?: (?:monotonic|acquire|release|acq_rel|seq_cst))+(?:, align \d+)?)$",
    re.MULTILINE,
)
PREFETCH = """
define void @kibitz.prefetch(ptr %x, i32 %for, i32 %how, i32 %what) alwaysinline {
  call void asm sideeffect "prefetch.L1 [$0];", "l"(ptr %x)
  ret void
}
"""
# What this computer's processor does by trying again and again
ADDING = re.compile(r"^define [^\n]*@kibitz\.add_real\(.*?^\}\n", re.MULTILINE | re.DOTALL)
ADDED = """define linkonce_odr void @kibitz.add_real(ptr %p, double %x) alwaysinline {
  %before = atomicrmw fadd ptr %p, double %x syncscope("device") monotonic
  ret void
}
"""
SHARED_READ = re.compile(r"^(\s+(?:@%\w+ )?ld)(\.(?:v[24]\.)?[bsuf]\d+)", re.MULTILINE)  # of an address that is anywhere
# How often arrays are referred to: nobody counts, for all there are lie in records, or are constants. What Numba has compiled itself counts by its own names.
COUNTING = re.compile(r"^(define [^\n]*@NRT_(?:incref|decref)\([^\n]*)\{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
INTRINSICS = re.compile(
    r"llvm\.(ctpop|cttz|ctlz|mem(cpy|set|move)|sqrt|fabs|floor|ceil|trunc|rint|nearbyint|copysign|min(num|imum)|max(num|imum)|[us](min|max|sub|add|mul|cmp)|abs"
    r"|fsh[lr]|bswap|bitreverse|assume|expect|lifetime|experimental\.noalias|nvvm|umul|smul|uadd|sadd|usub|ssub|is\.fpclass|load\.relative|stack|ucmp|scmp|fma)\b"
)


def source(kernel: Bound, job: Any) -> str:
    """PTX of a fleet kernel that was bound for CUDA, for jobs like this one; kept on disk."""
    assert kernel.target == CUDA
    meaning = repr(
        (kernel.digest, str(job.dtype), FORMAT, TRIPLE, PROCESSOR, llvmlite.__version__, cache.source_of(__name__, maths.__name__))
    )
    name = hashlib.sha256(meaning.encode()).hexdigest()
    kept = cache.kept_text(f"ptx-{name[:32]}")
    if kept is None:
        kept = _made(kernel, job)
        cache.keep_text(f"ptx-{name[:32]}", kept)
    return kept


def _made(kernel: Bound, job: Any) -> str:
    machine = _target_machine()
    compiled = kernel.body(0, job)
    module = _module(compiled, machine)
    function = compiled.fndesc.llvm_func_name
    _link(module, SHIM.format(function=function, entry=ENTRY), machine)
    _put_in_place(module, machine)
    for one in [*module.functions, *module.global_variables]:
        if not one.is_declaration and one.name != ENTRY:
            one.linkage = "internal"
    tuning = binding.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    passes = binding.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    _refuse(module, kernel.label)
    made = str(machine.emit_assembly(module))
    return SHARED_READ.sub(r"\1.volatile\2", made) if ATOMIC.search(str(module)) else made


def _target_machine() -> Any:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    try:
        return binding.Target.from_triple(TRIPLE).create_target_machine(cpu=PROCESSOR, opt=3)
    except RuntimeError as error:
        raise RulesError(f"llvmlite {llvmlite.__version__} cannot compile for GPUs ({error}); install 0.45 or newer") from None


def _module(compiled: Any, machine: Any) -> Any:
    text = COUNTING.sub(r"\1{ ret void }\n", str(compiled.library._final_module))
    text = ATOMIC.sub(lambda found: f'{found[1]} syncscope("device"){found[2].replace(" acquire", " monotonic")}', text)
    text = ADDING.sub(ADDED, text.replace("@llvm.prefetch.p0(", "@kibitz.prefetch("))
    module = binding.parse_assembly(text)
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    _link(module, references.meaning(counts=False), machine)
    return module


def _link(module: Any, text: str, machine: Any) -> None:
    added = binding.parse_assembly(text)
    added.triple, added.data_layout = TRIPLE, str(machine.target_data)
    module.link_in(added)


def _put_in_place(module: Any, machine: Any) -> None:
    """Functions of this computer's processor and library: by those of a GPU, or by plain arithmetic."""
    wanted = {f.name for f in module.functions if f.is_declaration}
    for name in EXACT:
        if name in wanted:
            _link(module, ROUNDED.format(name=name), machine)
    for name, (function, arguments) in REALS.items():
        asked = [each for each in (name, f"llvm.{name}.f64") if each in wanted]
        if asked:
            _add_real(module, machine, name, function, arguments, asked)
    if "kibitz.prefetch" in wanted:
        _link(module, PREFETCH, machine)
    if (deposit := "llvm.x86.bmi.pdep.64") in wanted:
        module.get_function(deposit).name = "kibitz.pdep"
        _link(module, SPREAD, machine)


def _add_real(module: Any, machine: Any, name: str, function: Any, arguments: int, asked: list[str]) -> None:
    compiled = bind(function, {}, name, target=CUDA).body(*(1.0,) * arguments)
    module.link_in(_module(compiled, machine))
    pieces = {
        "types": ", double" * arguments,
        "parameters": ", ".join(f"double %x{i}" for i in range(arguments)),
        "arguments": "".join(f", double %x{i}" for i in range(arguments)),
    }
    _link(module, REAL.format(name=name, function=compiled.fndesc.llvm_func_name, **pieces), machine)
    for each in asked:
        text = f'declare double @"kibitz.{name}"({", ".join(["double"] * arguments)})\n'
        _forward(module, machine, each, f"kibitz.{name}", arguments, text)


def _forward(module: Any, machine: Any, old: str, new: str, arguments: int, declared: str) -> None:
    """Calls of `old` become calls of `new`."""
    alias = f"kibitz.for.{old}"
    module.get_function(old).name = alias
    parameters = ", ".join(f"double %x{i}" for i in range(arguments))
    _link(
        module,
        f'{declared}define double @"{alias}"({parameters}) alwaysinline {{\n  %y = call double @"{new}"({parameters})\n  ret double %y\n}}\n',
        machine,
    )


def _refuse(module: Any, label: str) -> None:
    """What would not run, in one line: LLVM itself ends the whole program."""
    for function in module.functions:
        if function.is_declaration and not INTRINSICS.match(function.name) and function.name in _called(module):
            name = re.sub(r"^llvm\.(\w+)\..*", r"\1", function.name)
            raise RulesError(f"{label}: a GPU cannot run this: it calls {_in_words(name)}; leave it to the CPU")
    text = str(module)
    for size in re.findall(r"alloca \[(\d+) x i64\]", text):
        if int(size) * 8 > LOCAL_MOST:
            raise RulesError(
                f"{label}: a GPU cannot run this: a thread would need {int(size) * 8 / 1024:.0f} KB of its own, more than {LOCAL_MOST // 1024}; leave it to the CPU"
            )


def _called(module: Any) -> set[str]:
    return {name.strip('"') for name in re.findall(r'call [^@\n]*@("[^"]+"|[\w.$]+)\(', str(module))}


def _in_words(name: str) -> str:
    if name.startswith(("NRT_", "numba_", "Py")):
        return f"{name}, which makes arrays or Python objects"
    return f"{name}, which no GPU has"
