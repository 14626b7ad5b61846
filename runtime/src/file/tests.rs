use super::*;
use crate::tensor::TensorData;
use npyz::WriterBuilder;
use std::fs;

/// A `.dat` file by the table of the format, not by the writer.
fn dat(data_length: u32, extents: &[u32], bits: u32, kind: u32, reserved: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x4E, 0xEF, 1, 0];
    let mut words = vec![data_length, extents.len() as u32];
    words.extend(extents);
    words.resize(10, 0);
    words.extend([bits, kind, reserved]);
    words.resize(31, 0);
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(data);
    bytes
}

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn open(bytes: &[u8]) -> Result<TensorFile, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.bin");
    fs::write(&path, bytes).unwrap();
    TensorFile::open(&path).map_err(|error| error.to_string().replace(path.to_str().unwrap(), "w.bin"))
}

fn read(bytes: &[u8]) -> Result<Tensor, String> {
    open(bytes)?.read().map_err(|error| error.to_string().rsplit_once("w.bin").unwrap().1.to_string())
}

#[test]
fn dat_item_types() {
    let tensor = |bytes: &[u8]| read(bytes).unwrap();
    let floats: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|item| item.to_le_bytes()).collect();
    assert_eq!(tensor(&dat(8, &[2, 1], 32, 0, 0, &floats)).data, TensorData::F32(vec![1.5, -2.0]));
    assert_eq!(tensor(&dat(4, &[2], 16, 0, 0, &[0x00, 0x3E, 0x00, 0xC0])).data, TensorData::F32(vec![1.5, -2.0]));
    assert_eq!(tensor(&dat(8, &[], 64, 0, 0, &0.5f64.to_le_bytes())).data, TensorData::F32(vec![0.5]));
    assert_eq!(tensor(&dat(2, &[2], 8, 1, 0, &[255, 1])).data, TensorData::I64(vec![255, 1]));
    assert_eq!(tensor(&dat(2, &[2], 8, 1, 1, &[255, 1])).data, TensorData::I64(vec![-1, 1]), "old signed files");
    assert_eq!(tensor(&dat(4, &[2], 16, 4, 0, &[0xFE, 0xFF, 0, 1])).data, TensorData::I64(vec![-2, 256]));
    assert_eq!(tensor(&dat(2, &[2], 8, 5, 0, &[1, 0])).data, TensorData::Bool(vec![true, false]));
    let bits = tensor(&dat(2, &[10], 1, 5, 0, &[0b1010_0000, 0b0100_0000])).data;
    let expected = [true, false, true, false, false, false, false, false, false, true];
    assert_eq!(bits, TensorData::Bool(expected.to_vec()));
    assert_eq!(tensor(&dat(0, &[3, 0], 32, 0, 0, &[])).shape, [3, 0]);
}

#[test]
fn dat_fields_that_lie() {
    let data = [0; 8];
    let good = dat(8, &[2], 32, 0, 0, &data);
    assert!(open(&good).is_ok());
    let fault = |bytes: &[u8]| open(bytes).unwrap_err();
    assert_eq!(fault(&good[..100]), "w.bin: at byte 100: the file ends within the header of 128 bytes");
    assert_eq!(fault(&good[..130]), "w.bin: at byte 130: expected 8 bytes of data for shape [2], found 2");
    assert_eq!(
        fault(&[&good[..], &[0]].concat()),
        "w.bin: at byte 136: expected 8 bytes of data for shape [2], found 9"
    );
    assert_eq!(
        fault(&dat(12, &[2], 32, 0, 0, &data)),
        "w.bin: at byte 4: the length is 12 bytes, but extents [2] take 8"
    );
    assert_eq!(fault(&dat(8, &[2], 32, 9, 0, &data)), "w.bin: at byte 48: item type 9 is not known; 0 to 5 are");
    assert_eq!(fault(&dat(8, &[2], 31, 0, 0, &data)), "w.bin: at byte 44: items of type 0 can't have 31 bits");
    let mut rank = good.clone();
    rank[8] = 200;
    assert_eq!(fault(&rank), "w.bin: at byte 8: the rank is 200, at most 8 is possible");
    let mut unused = good.clone();
    unused[16] = 7;
    assert_eq!(fault(&unused), "w.bin: at byte 16: extent 1 is 7, but the rank is 1");
    let mut version = good.clone();
    version[2] = 2;
    assert_eq!(fault(&version), "w.bin: at byte 2: expected version 1.0, found 2.0");
    let huge = dat(8, &[u32::MAX, u32::MAX, u32::MAX], 32, 0, 0, &data);
    assert!(fault(&huge).starts_with("w.bin: at byte 12: extents [4294967295,"), "{}", fault(&huge));
    let foreign = |what: &str| format!("w.bin: expected a NumPy array (.npy) or an NNEF tensor (.dat), found {what}");
    assert_eq!(fault(b"PK"), foreign("a text"));
    assert_eq!(fault(b"\0\x01"), foreign("another file"));
    assert_eq!(fault(b"PK\x03\x04"), foreign("an archive"));
    assert_eq!(fault(b"\x08\x07\x12\x03abc"), foreign("an ONNX model"));
    assert_eq!(fault(b""), foreign("an empty file"));
    assert_eq!(
        read(&dat(16, &[2], 64, 1, 0, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255])).unwrap_err(),
        ": at byte 136: 18374686479671623680 does not fit into 64 bits with sign"
    );
}

#[test]
fn npy_types_and_orders() {
    let header = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n")
    };
    let bytes: Vec<u8> = (0u8..6).collect();
    let columns = read(&npy(&header("|i1", "True", "(2, 3)"), &bytes)).unwrap();
    assert_eq!(columns, Tensor { shape: vec![2, 3], data: TensorData::I64(vec![0, 2, 4, 1, 3, 5]) });
    let big = read(&npy(&header(">i2", "False", "(1,)"), &[1, 2])).unwrap();
    assert_eq!(big.data, TensorData::I64(vec![0x102]));
    for (wide, rounded) in [(1e300, f32::INFINITY), (-1e300, f32::NEG_INFINITY), (1e-300, 0.0)] {
        let beyond = read(&npy(&header("<f8", "False", "()"), &f64::to_le_bytes(wide))).unwrap();
        assert_eq!(beyond.data, TensorData::F32(vec![rounded]));
    }
    let scalar = read(&npy(&header("<f8", "False", "()"), &0.25f64.to_le_bytes())).unwrap();
    assert_eq!(scalar, Tensor::scalar(0.25f32));
    let empty = read(&npy(&header("|b1", "True", "(2, 0, 3)"), &[])).unwrap();
    assert_eq!(empty, Tensor { shape: vec![2, 0, 3], data: TensorData::Bool(vec![]) });
}

#[test]
fn npy_headers_that_lie() {
    let fault = |header: &str, data: &[u8]| open(&npy(header, data)).unwrap_err();
    let good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
    assert!(open(&npy(good, &[0; 8])).is_ok());
    assert_eq!(fault(good, &[0; 7]), "w.bin: at byte 74: expected 8 bytes of data for shape [2], found 7");
    assert_eq!(fault(good, &[0; 9]), "w.bin: at byte 75: expected 8 bytes of data for shape [2], found 9");
    assert_eq!(
        fault("{'descr': 3}", &[]),
        "w.bin: at byte 20: expected a string; records and other types are not supported in the header"
    );
    assert_eq!(fault("{'shape': (-2,)}", &[]), "w.bin: at byte 21: expected an extent in the header");
    assert_eq!(fault("{'descr': '<f4'}", &[]), "w.bin: at byte 10: the header has no `fortran_order`");
    let again = good.replace("'shape': (2,)", "'shape': (3,), 'shape': (2,)");
    assert_eq!(fault(&again, &[0; 8]), "w.bin: at byte 66: the key `shape` stands twice in the header");
    assert!(fault(&good.replace("<f4", "<c8"), &[]).contains("type `<c8` is not supported"));
    assert!(fault(&good.replace("(2,)", "(9999999999, 9999999999)"), &[]).contains("are too large"));
    assert!(fault(&good.replace("(2,)", "(9999999999, 9999999999, 0)"), &[]).contains("are too large"), "though empty");
    assert!(fault(&"(".repeat(60000), &[]).contains("expected `{`"));
    let mut long = npy(good, &[]);
    long[6] = 2;
    assert!(open(&long).unwrap_err().contains("a header of"));
}

#[test]
fn every_prefix_and_flipped_byte_is_read_or_refused() {
    let npy = npy("{'descr': '<i8', 'fortran_order': True, 'shape': (1, 2), }", &[0; 16]);
    for file in [dat(8, &[2], 32, 0, 0, &[0; 8]), npy] {
        for at in 0..file.len() {
            let _ = read(&file[..at]);
            for value in [0, 1, 7, 0x7F, 0x80, 0xFF, b'(', b'\'', b'9'] {
                let mut changed = file.clone();
                changed[at] = value;
                let _ = read(&changed);
            }
        }
    }
}

#[test]
fn written_npy_files_are_what_another_library_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("y.npy");
    let items = vec![1.5f32, -0.0, f32::INFINITY, 4.0, 5.0, 6.0];
    write_npy(&path, &Tensor { shape: vec![2, 3], data: TensorData::F32(items.clone()) }).unwrap();
    let file = npyz::NpyFile::new(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(file.shape(), [2, 3]);
    assert_eq!(file.order(), npyz::Order::C);
    assert_eq!(file.into_vec::<f32>().unwrap(), items);
    assert_eq!(fs::read(&path).unwrap().len() % 64, 24, "data begins at a multiple of 64");
    write_npy(&path, &Tensor::scalar(true)).unwrap();
    let file = npyz::NpyFile::new(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!((file.shape().len(), file.into_vec::<bool>().unwrap()), (0, vec![true]));
}

#[test]
fn npy_files_of_another_library_are_read() {
    let mut bytes = Vec::new();
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(&[3, 1]).writer(&mut bytes).begin_nd().unwrap();
    writer.extend([7i64, -8, i64::MIN]).unwrap();
    writer.finish().unwrap();
    let expected = Tensor { shape: vec![3, 1], data: TensorData::I64(vec![7, -8, i64::MIN]) };
    assert_eq!(read(&bytes).unwrap(), expected);
}

#[test]
fn dat_files_keep_their_tensors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.dat");
    let bits = (0..11).map(|item| item % 3 == 0).collect();
    for tensor in [
        Tensor { shape: vec![2, 1, 2], data: TensorData::F32(vec![1.0, 2.0, 3.0, 4.0]) },
        Tensor { shape: vec![3], data: TensorData::I64(vec![1, i64::MIN, -3]) },
        Tensor { shape: vec![11], data: TensorData::Bool(bits) },
    ] {
        write_dat(&path, &tensor).unwrap();
        assert_eq!(read_tensor(&path).unwrap(), tensor);
    }
    assert_eq!(fs::read(&path).unwrap().len(), 130, "one bit per truth value");
}

#[test]
fn float_data_is_seen_where_it_lies() {
    let floats: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|item| item.to_le_bytes()).collect();
    assert_eq!(
        open(&dat(8, &[2], 32, 0, 0, &floats)).unwrap().view(Storage::F32).map(|view| view.reals().to_vec()),
        Some(vec![1.5, -2.0])
    );
    assert!(open(&dat(4, &[2], 16, 0, 0, &floats[..4])).unwrap().view(Storage::F32).is_none(), "must be converted");
    let columns = "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}    ";
    assert!(open(&npy(columns, &floats)).unwrap().view(Storage::F32).is_none(), "must be rearranged");
}

#[test]
fn missing_files_are_named() {
    let error = TensorFile::open(Path::new("no/such.dat")).unwrap_err().to_string();
    assert!(error.starts_with("no/such.dat: No such file"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    assert!(
        TensorFile::open(folder.path()).unwrap_err().to_string().ends_with("expected a tensor file, found a folder")
    );
}

#[test]
fn files_that_are_too_long_are_not_said_to_be_cut_off() {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
    let files = [dat(8, &[2], 32, 0, 0, &[0; 8]), npy(header, &[0; 8]), npy(&header.replace("2,", "0,"), &[])];
    for file in files {
        let help = |bytes: &[u8]| layout_of(bytes).unwrap().unwrap_err().help.unwrap();
        let longer = [file.as_slice(), &[0]].concat();
        assert!(help(&longer).contains("longer than its header says"), "{}", help(&longer));
        let shorter = &file[..file.len() - 1];
        assert!(help(shorter).contains("not written to its end"), "{}", help(shorter));
    }
}
