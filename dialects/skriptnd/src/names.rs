//! The names of attributes that its declarations in TableGen don't have.

/// The attribute of a module that holds the texts of the model's modules: a dictionary from paths to pairs of file name
/// and text.
pub const SOURCES_ATTRIBUTE: &str = "skriptnd.sources";

/// The attribute of arguments and results of graphs with the declared name; items of packs have their number behind it.
pub const NAME_ATTRIBUTE: &str = "skriptnd.name";

/// Marks arguments and results of graphs that are packs of which only a run knows the length: the items stand along the first
/// dimension.
pub const PACK_ATTRIBUTE: &str = "skriptnd.pack";

/// The attribute of arguments of graphs and of variables whose elements are stored in a narrower form than they are computed
/// with: its name.
pub const STORAGE_ATTRIBUTE: &str = "skriptnd.storage";

/// For each operand the first one that was the same tensor when the model was composed. The language decides then what is
/// identical (specification, section 2.4): merging equal values does not change it. Only operators that ask have it;
/// without it the operands say which are the same.
pub const IDENTITY_ATTRIBUTE: &str = "skriptnd.identity";

/// What a model calls the results of an operation whose extents data determine: messages about them name them.
pub const RESULT_NAMES_ATTRIBUTE: &str = "skriptnd.results";

/// How many items the packs among the operands of an operation have, by input: expressions of extents, empty where it is known.
/// There are as many operands as there can be.
pub const LENGTHS_ATTRIBUTE: &str = "skriptnd.lengths";
