//! Chunk sizes of tensor classes, for `LAYOUT_CHUNKSIZE`: how many elements of each dimension (batches, height, width,
//! depth) lie together in memory.

/// Elements of a chunk of the class along a dimension; `None` if the class or dimension is unknown.
pub fn chunk_size(class: &str, dimension: u32) -> Option<u64> {
    let class = class.strip_suffix("_TCM").unwrap_or(class);
    // A crouton holds 2048 bytes.
    let chunk: [u64; 4] = match class {
        "QUint8CroutonTensor" | "QInt8CroutonTensor" => [1, 8, 8, 32],
        "QUint16CroutonTensor" | "QInt16CroutonTensor" | "F16CroutonTensor" => [1, 8, 4, 32],
        "QInt32CroutonTensor" | "Int32CroutonTensor" | "F32CroutonTensor" => [1, 8, 2, 32],
        _ if class.ends_with("Tensor") && !class.contains("Crouton") => [1, 1, 1, 1],
        _ => return None,
    };
    chunk.get(dimension as usize).copied()
}
