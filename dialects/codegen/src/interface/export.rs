//! The functions that a compiled model exports, around those that were compiled, and the constants of its header.

use super::checks::{self, Arguments};
use super::words::{at_word, load_words, store_word};
use super::{Interface, Planned, Role};
use super::{group, mark, parallel, permission, vtcm};
use crate::faults::{RECORD_WORDS, leave};
use crate::views::functions::{self, CHECKS, PREPARE, RUN, WORKSPACE};
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, Context, OperationRef, Value, attributes, types};
use skriptnd_mlir::ops::llvm::{self, Index, Linkage, Predicate};
use skriptnd_runtime::metadata::Extent;

/// What the names of exported functions and constants begin with if nothing else is said.
pub const PREFIX: &str = "skriptnd";

/// Adds the exported functions, the metadata and the constants to a module of the LLVM dialect; their names begin with the
/// prefix. One of several versions has the functions alone, for those in front of them.
///
/// # Errors
/// Where earlier passes have not noted what they are to do.
pub fn export<'c: 'a, 'a>(module: OperationRef<'c, 'a>, prefix: &str, is_version: bool) -> Result<(), Error> {
    let planned = Planned::noted(module)?;
    leave::branch(module)?;
    parallel::define(module)?;
    let body = module.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
    let linkage = if is_version { Linkage::Hidden } else { Linkage::External };
    let end = Exports { of: module, module: Builder::at_end(body, module.location()), prefix, linkage };
    if !is_version {
        metadata(&end, &planned)?;
        constants(&end, &planned)?;
    }
    group::define(module, &end.module, &end.name("group"))?;
    mark::define(module, &end.module, &end.name("profiler"))?;
    vtcm::define(module, &end.module, &end.name("vtcm"))?;
    permission::define(module, &end.module)?;
    checks::define(&end.module)?;
    if planned.memory.aligns_tensors {
        checks::define_alignment(&end.module)?;
    }
    let recording = module.get(notes::RECORDING).and_then(attributes::as_strings).unwrap_or_default();
    let sharing = module.get(notes::SHARING).and_then(attributes::as_strings).unwrap_or_default();
    let open = Open {
        takes_shapes: module.get(notes::SHAPES).is_some(),
        has_workspace: functions::all(module).any(|function| function.get_string("sym_name") == Some(WORKSPACE)),
        has_checks: recording.contains(&CHECKS),
        run_records: recording.contains(&RUN),
        run_shares: sharing.contains(&RUN),
    };
    shapes(&end, &planned, open)?;
    prepare(&end, &planned)?;
    run(&end, &planned, open)
}

/// The end of a module, and what the names of what is exported there begin with.
struct Exports<'c, 'a, 'p> {
    of: OperationRef<'c, 'a>,
    module: Builder<'c, 'a>,
    prefix: &'p str,
    /// Who sees the functions.
    linkage: Linkage,
}

impl<'c: 'a, 'a> Exports<'c, 'a, '_> {
    fn name(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
    }

    fn context(&self) -> &'c Context {
        self.module.context()
    }

    /// An exported function of pointers that returns a status.
    fn define<const N: usize>(&self, name: &str) -> Result<(llvm::Function<'c, 'a>, [Value<'c, 'a>; N]), Error> {
        let (inputs, status) = ([llvm::pointer_type(self.context()); N], types::integer(self.context(), 32));
        let function = llvm::define(&self.module, &self.name(name), self.linkage, &inputs, Some(status))?;
        let arguments = function.arguments.as_slice().try_into().map_err(|_| Error::malformed(name))?;
        Ok((function, arguments))
    }
}

/// What depends on extents that only a run knows.
#[derive(Clone, Copy)]
struct Open {
    /// Whether `run` takes the extents of all tensors.
    takes_shapes: bool,
    /// Whether a function computes the bytes of the workspace.
    has_workspace: bool,
    /// Whether a function requires something of the extents that inputs tell.
    has_checks: bool,
    /// Whether `run` takes a record of faults.
    run_records: bool,
    /// Whether `run` takes threads that share its work.
    run_shares: bool,
}

/// `int32_t skriptnd_shapes(extents, shapes)`: the extents of inputs, outputs and new values of variables, then the bytes of
/// the workspace.
fn shapes<'c: 'a, 'a>(module: &Exports<'c, 'a, '_>, planned: &Planned, open: Open) -> Result<(), Error> {
    let Planned { interface, memory, .. } = planned;
    let (function, [extents, shapes]) = module.define("shapes")?;
    let plain = [shapes, extents];
    let plain = if interface.extents.is_empty() { &plain[..1] } else { &plain };
    let mut body = Arguments { arrays: &[], memory: &[], plain, record: None, aligned: (1, false) }.check(&function)?;
    let word = types::integer(module.context(), 64);
    let numbers = load_words(&body, extents, interface.extents.len())?;
    if interface.extents.is_empty() {
        let known = interface.shaped().flat_map(|tensor| &tensor.extents).enumerate();
        for (at, extent) in known {
            let most = if let Extent::Known(known) = extent { Some(*known) } else { extent.bound() };
            let most = most.and_then(|most| i64::try_from(most).ok());
            let most = most.ok_or_else(|| Error::malformed("an extent that nothing tells"))?;
            store_word(&body, shapes, at, llvm::integer(&body, word, most)?)?;
        }
    } else {
        body = checks::check_extents(&function, body, &interface.extents, &numbers)?;
        body = checks::check_shapes(&function, body, interface, (&numbers, shapes))?;
    }
    let least = llvm::integer(&body, word, memory.workspace_bytes())?;
    let bytes = if open.has_workspace {
        let taken = if open.takes_shapes { &[shapes][..] } else { &[] };
        let bytes = llvm::call_value(&body, WORKSPACE, &[numbers.as_slice(), taken].concat(), word)?;
        let bytes = if open.has_checks { where_allowed(&body, &numbers, (bytes, least))? } else { bytes };
        let more = llvm::icmp(&body, Predicate::Sgt, bytes, least)?;
        llvm::select(&body, more, bytes, least)?
    } else {
        least
    };
    store_word(&body, shapes, interface.shape_words(), bytes)?;
    Ok(llvm::r#return(&body, Some(llvm::integer(&body, types::integer(module.context(), 32), 0)?))?)
}

/// The bytes for extents that the run will not refuse; what is computed of others is no size.
fn where_allowed<'c: 'a, 'a>(
    body: &Builder<'c, 'a>,
    extents: &[Value<'c, 'a>],
    (bytes, least): (Value<'c, 'a>, Value<'c, 'a>),
) -> Result<Value<'c, 'a>, Error> {
    let word = types::integer(body.context(), 64);
    let record = llvm::alloca(body, word, RECORD_WORDS as i64)?;
    let zero = llvm::integer(body, word, 0)?;
    llvm::store(body, zero, record)?;
    llvm::call(body, CHECKS, &[extents, &[record]].concat())?;
    let failed = llvm::icmp(body, Predicate::Ne, llvm::load(body, record, word)?, zero)?;
    Ok(llvm::select(body, failed, least, bytes)?)
}

/// The metadata, ended by a zero byte.
fn metadata<'c: 'a, 'a>(module: &Exports<'c, 'a, '_>, planned: &Planned) -> Result<(), Error> {
    let context = module.context();
    let text = format!("{}\0", planned.metadata().to_json());
    let size = u32::try_from(text.len()).map_err(|_| Error::Unsupported("metadata of 4 GB".into()))?;
    let kind = llvm::array_type(types::integer(context, 8), size);
    let value = attributes::string(context, &text);
    llvm::constant_global(&module.module, &module.name("metadata"), Linkage::External, kind, value)?;
    Ok(())
}

/// The numbers that a caller in C needs before it has read the metadata.
fn constants<'c: 'a, 'a>(module: &Exports<'c, 'a, '_>, planned: &Planned) -> Result<(), Error> {
    for (name, value, bits) in planned.constants() {
        let kind = types::integer(module.context(), bits);
        let value = attributes::typed_integer(kind, value).ok_or_else(|| Error::malformed(name))?;
        llvm::constant_global(&module.module, &module.name(name), Linkage::External, kind, value)?;
    }
    Ok(())
}

/// `int32_t skriptnd_prepare(variables, prepared, workspace)`
fn prepare<'c: 'a, 'a>(module: &Exports<'c, 'a, '_>, planned: &Planned) -> Result<(), Error> {
    let Planned { interface, memory, .. } = planned;
    let (function, [variables, prepared, workspace]) = module.define("prepare")?;
    let count = interface.variables.len();
    let body = Arguments {
        arrays: &[(variables, count)],
        memory: &[(prepared, memory.prepared_bytes), (workspace, memory.workspace_bytes())],
        plain: &[],
        record: None,
        aligned: (memory.alignment, memory.aligns_tensors),
    }
    .check(&function)?;
    let mut call = Call::new(permission::ask(module.of, &function, body)?);
    call.elements(variables, count)?;
    call.parts(prepared, &memory.prepared_offsets)?;
    let (body, status) = call.finish(PREPARE, None, workspace)?;
    Ok(llvm::r#return(&body, Some(status))?)
}

/// `int32_t skriptnd_run(inputs, variables, prepared, outputs, extents, shapes, workspace, fault, pool)`
fn run<'c: 'a, 'a>(module: &Exports<'c, 'a, '_>, planned: &Planned, open: Open) -> Result<(), Error> {
    let Planned { interface, memory, .. } = planned;
    let (function, [inputs, variables, prepared, outputs, extents, found, workspace, fault, pool]) =
        module.define("run")?;
    let plain = [extents];
    let mut given = vec![
        (prepared, memory.prepared_bytes),
        (workspace, memory.workspace_bytes().max(i64::from(open.has_workspace))),
    ];
    if let Some(bytes) = planned.vtcm_bytes {
        given.push((vtcm::load(&function.entry, &module.name("vtcm"))?, bytes));
    }
    let body = Arguments {
        arrays: &[
            (inputs, interface.inputs.len()),
            (variables, interface.variables.len()),
            (outputs, interface.written()),
        ],
        memory: &given,
        plain: if interface.extents.is_empty() && !interface.takes_seed { &[] } else { &plain },
        record: Some(fault),
        aligned: (memory.alignment, memory.aligns_tensors),
    }
    .check(&function)?;
    let mut call = Call::new(permission::ask(module.of, &function, body)?);
    let mut numbers = load_words(&call.body, extents, interface.extents.len() + usize::from(interface.takes_seed))?;
    let seed = numbers.split_off(interface.extents.len());
    call.body = checks::check_extents(&function, call.body, &interface.extents, &numbers)?;
    if open.has_checks {
        let record = [numbers.as_slice(), &[fault]].concat();
        llvm::call(&call.body, CHECKS, &record)?;
        call.body = go_on(&function, call.body, fault)?;
    }
    let shapes = call.shapes(&function, interface, &numbers)?;
    let place = call.given(interface, (inputs, variables), (&numbers, &seed), shapes)?;
    call.parts(prepared, &memory.prepared_offsets)?;
    call.written(interface, outputs, shapes, place)?;
    if interface.finds_shapes {
        call.place_for_shapes(interface, found)?;
    }
    call.arguments.extend(shapes.filter(|_| open.takes_shapes));
    call.arguments.extend(open.run_shares.then_some(pool));
    let (body, status) = call.finish(RUN, open.run_records.then_some(fault), workspace)?;
    let body = if interface.finds_shapes { body } else { tell_shapes(&function, body, interface, (shapes, found))? };
    Ok(llvm::r#return(&body, Some(status))?)
}

/// Writes the extents of what a run wrote to `found`, unless that is null; gives the block that goes on. `shapes` has those of
/// all tensors, where they depend on the run.
fn tell_shapes<'c: 'a, 'a>(
    function: &llvm::Function<'c, 'a>,
    body: Builder<'c, 'a>,
    interface: &Interface,
    (shapes, found): (Option<Value<'c, 'a>>, Value<'c, 'a>),
) -> Result<Builder<'c, 'a>, Error> {
    let word = types::integer(body.context(), 64);
    let unwanted = llvm::icmp(&body, Predicate::Eq, found, llvm::zero(&body, llvm::pointer_type(body.context()))?)?;
    let ((tell, _), (next, _)) = (function.block(&[])?, function.block(&[])?);
    llvm::cond_br(&body, unwanted, (next.block(), &[]), (tell.block(), &[]))?;
    let words = interface.shape_words();
    let computed = shapes.map(|shapes| load_words(&tell, shapes, words)).transpose()?;
    let first: usize = interface.inputs.iter().map(|tensor| tensor.extents.len()).sum();
    for (at, extent) in interface.shaped().flat_map(|tensor| &tensor.extents).enumerate().skip(first) {
        let value = match (extent, &computed) {
            (Extent::Known(known), _) => llvm::integer(&tell, word, i64::try_from(*known).unwrap_or(i64::MAX))?,
            (Extent::Open { .. }, Some(computed)) => computed[at],
            (Extent::Open { .. }, None) => return Err(Error::malformed("an extent that nothing tells")),
        };
        store_word(&tell, found, at - first, value)?;
    }
    llvm::br(&tell, (next.block(), &[]))?;
    Ok(next)
}

/// Returns the number of a fault from a function if there is one in the record; gives the block that goes on.
fn go_on<'c: 'a, 'a>(
    function: &llvm::Function<'c, 'a>,
    body: Builder<'c, 'a>,
    record: Value<'c, 'a>,
) -> Result<Builder<'c, 'a>, Error> {
    let context = body.context();
    let (word, status) = (types::integer(context, 64), types::integer(context, 32));
    let number = llvm::load(&body, record, word)?;
    let failed = llvm::icmp(&body, Predicate::Ne, number, llvm::integer(&body, word, 0)?)?;
    let ((stop, _), (next, _)) = (function.block(&[])?, function.block(&[])?);
    llvm::cond_br(&body, failed, (stop.block(), &[]), (next.block(), &[]))?;
    llvm::r#return(&stop, Some(llvm::trunc(&stop, number, status)?))?;
    Ok(next)
}

/// A call whose arguments are collected one by one.
struct Call<'c, 'a> {
    body: Builder<'c, 'a>,
    arguments: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Call<'c, 'a> {
    fn new(body: Builder<'c, 'a>) -> Self {
        Call { body, arguments: Vec::new() }
    }

    /// A pointer from an array of pointers.
    fn element(&mut self, array: Value<'c, 'a>, index: usize) -> Result<(), Error> {
        let pointer = llvm::pointer_type(self.body.context());
        let index = i32::try_from(index).map_err(|_| Error::Unsupported(format!("{index} tensors")))?;
        let place = llvm::getelementptr(&self.body, array, pointer, &[Index::Constant(index)])?;
        self.arguments.push(llvm::load(&self.body, place, pointer)?);
        Ok(())
    }

    /// What the compiled function takes of the run, in its order: tensors, extents and the seed. `shapes` has the extents of inputs
    /// first, where they depend on the run; gives where those of what is written begin.
    fn given(
        &mut self,
        interface: &Interface,
        (inputs, variables): (Value<'c, 'a>, Value<'c, 'a>),
        (extents, seed): (&[Value<'c, 'a>], &[Value<'c, 'a>]),
        shapes: Option<Value<'c, 'a>>,
    ) -> Result<usize, Error> {
        let (mut input, mut variable, mut place) = (0, 0, 0);
        let mut rest = extents.iter();
        for role in &interface.arguments {
            match role {
                Role::Extent => self.arguments.extend(rest.next()),
                Role::Seed => self.arguments.extend(seed),
                Role::Variable => {
                    self.element(variables, variable)?;
                    variable += 1;
                }
                Role::Input => {
                    self.element(inputs, input)?;
                    let extents = &interface.inputs[input].extents;
                    if let Some(shapes) = shapes {
                        self.keep_readable(shapes, extents.iter().zip(place..))?;
                        place += extents.len();
                    }
                    input += 1;
                }
            }
        }
        Ok(place)
    }

    /// What the compiled function writes: outputs and new values of variables. `shapes` has their extents from `place` on.
    fn written(
        &mut self,
        interface: &Interface,
        outputs: Value<'c, 'a>,
        shapes: Option<Value<'c, 'a>>,
        mut place: usize,
    ) -> Result<(), Error> {
        for (index, tensor) in interface.outputs.iter().chain(&interface.states).enumerate() {
            self.element(outputs, index)?;
            if let Some(shapes) = shapes {
                self.keep_readable(shapes, tensor.extents.iter().zip(place..))?;
            }
            place += tensor.extents.len();
        }
        Ok(())
    }

    /// Where the run writes the shapes that it finds: what the caller gives, or memory that nobody reads where that is null.
    fn place_for_shapes(&mut self, interface: &Interface, found: Value<'c, 'a>) -> Result<(), Error> {
        let body = &self.body;
        let words = i64::try_from(interface.shape_words()).unwrap_or(i64::MAX);
        let unread = llvm::alloca(body, types::integer(body.context(), 64), words)?;
        let null = llvm::zero(body, llvm::pointer_type(body.context()))?;
        let unwanted = llvm::icmp(body, Predicate::Eq, found, null)?;
        let place = llvm::select(body, unwanted, unread, found)?;
        self.arguments.push(place);
        Ok(())
    }

    /// Memory with the extents of all tensors, if they depend on a run; they are checked.
    fn shapes(
        &mut self,
        function: &llvm::Function<'c, 'a>,
        interface: &Interface,
        numbers: &[Value<'c, 'a>],
    ) -> Result<Option<Value<'c, 'a>>, Error> {
        if numbers.is_empty() {
            return Ok(None);
        }
        let word = types::integer(self.body.context(), 64);
        let words = i64::try_from(interface.shape_words()).unwrap_or(i64::MAX);
        let shapes = llvm::alloca(&self.body, word, words)?;
        self.body = checks::check_shapes(function, self.body, interface, (numbers, shapes))?;
        Ok(Some(shapes))
    }

    /// Gives other memory in place of that of a tensor without elements, of which the first one may be read all the same: of an
    /// input, and of an output that something in the model takes.
    fn keep_readable<'e>(
        &mut self,
        shapes: Value<'c, 'a>,
        extents: impl Iterator<Item = (&'e Extent, usize)>,
    ) -> Result<(), Error> {
        let body = &self.body;
        let word = types::integer(body.context(), 64);
        let zero = llvm::integer(body, word, 0)?;
        let mut is_empty = None;
        for (_, place) in extents.filter(|(extent, _)| matches!(extent, Extent::Open { .. })) {
            let extent = llvm::load(body, llvm::getelementptr(body, shapes, word, &[at_word(place)?])?, word)?;
            let none = llvm::icmp(body, Predicate::Eq, extent, zero)?;
            is_empty = Some(is_empty.map_or(Ok(none), |before| llvm::or(body, before, none))?);
        }
        let Some(is_empty) = is_empty else { return Ok(()) };
        if let Some(pointer) = self.arguments.last_mut() {
            *pointer = llvm::select(body, is_empty, shapes, *pointer)?;
        }
        Ok(())
    }

    fn elements(&mut self, array: Value<'c, 'a>, count: usize) -> Result<(), Error> {
        (0..count).try_for_each(|index| self.element(array, index))
    }

    /// Pointers into prepared memory. Offsets are given as values: they may be larger than an index can be.
    fn parts(&mut self, prepared: Value<'c, 'a>, offsets: &[i64]) -> Result<(), Error> {
        let context = self.body.context();
        for offset in offsets {
            let offset = llvm::integer(&self.body, types::integer(context, 64), *offset)?;
            let byte = types::integer(context, 8);
            self.arguments.push(llvm::getelementptr(&self.body, prepared, byte, &[Index::Value(offset)])?);
        }
        Ok(())
    }

    /// Calls, with a record of faults if there is one: the number in it is the status.
    fn finish(
        mut self,
        callee: &str,
        record: Option<Value<'c, 'a>>,
        workspace: Value<'c, 'a>,
    ) -> Result<(Builder<'c, 'a>, Value<'c, 'a>), Error> {
        self.arguments.extend(record);
        self.arguments.push(workspace);
        llvm::call(&self.body, callee, &self.arguments)?;
        let context = self.body.context();
        let (word, status) = (types::integer(context, 64), types::integer(context, 32));
        let status = match record {
            Some(record) => llvm::trunc(&self.body, llvm::load(&self.body, record, word)?, status)?,
            None => llvm::integer(&self.body, status, 0)?,
        };
        Ok((self.body, status))
    }
}
