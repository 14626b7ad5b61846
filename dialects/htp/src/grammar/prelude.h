// Macros that public rule files use beyond the published grammar, and that no public header defines. Their meaning is
// what their use makes plain; another file may be given in place of this one (--prelude FILE). A file's own #define of
// the same name takes precedence.

// How splits are sized.
#define TILE_HEIGHT 8
#define CHANNEL_SPLIT_SIZE 256
#define HVX_THREADS 4
#define HMX_THREADS 2
#define TCM_MAXTENSOR_SIZE 4194304

// Questions about one operand.
#define IS_QUANT_TYPE(X) OR(IS_QUINT8(X), IS_QINT8(X), IS_QUINT16(X), IS_QINT16(X), IS_QINT32(X))
#define IS_SHAPE_1x1x1xd(X) AND(EQ(RANK_OF(X), 4), EQ(DIM_BATCHES(X), 1), EQ(DIM_HEIGHT(X), 1), EQ(DIM_WIDTH(X), 1))
#define IS_SCALAR(X) AND(LE(DIM_OF(X, 0), 1), LE(DIM_OF(X, 1), 1), LE(DIM_OF(X, 2), 1), LE(DIM_OF(X, 3), 1), \
                         LE(DIM_OF(X, 4), 1))
#define ESTIMATE_TENSOR_SIZE(X) MUL(ELEMENTSIZE_OF(X), DIM_OF(X, 0), DIM_OF(X, 1), DIM_OF(X, 2), DIM_OF(X, 3))

// Whether all of up to eight operands are single precision: COUNTED is the macro for their number.
#define COUNTED(A, B, C, D, E, F, G, H, NAME, ...) NAME
#define ALL_FLOAT32_1(A) IS_FLOAT32(A)
#define ALL_FLOAT32_2(A, ...) IS_FLOAT32(A), ALL_FLOAT32_1(__VA_ARGS__)
#define ALL_FLOAT32_3(A, ...) IS_FLOAT32(A), ALL_FLOAT32_2(__VA_ARGS__)
#define ALL_FLOAT32_4(A, ...) IS_FLOAT32(A), ALL_FLOAT32_3(__VA_ARGS__)
#define ALL_FLOAT32_5(A, ...) IS_FLOAT32(A), ALL_FLOAT32_4(__VA_ARGS__)
#define ALL_FLOAT32_6(A, ...) IS_FLOAT32(A), ALL_FLOAT32_5(__VA_ARGS__)
#define ALL_FLOAT32_7(A, ...) IS_FLOAT32(A), ALL_FLOAT32_6(__VA_ARGS__)
#define ALL_FLOAT32_8(A, ...) IS_FLOAT32(A), ALL_FLOAT32_7(__VA_ARGS__)
#define IS_FLOAT32_ALL(...) \
    AND(COUNTED(__VA_ARGS__, ALL_FLOAT32_8, ALL_FLOAT32_7, ALL_FLOAT32_6, ALL_FLOAT32_5, ALL_FLOAT32_4, \
                ALL_FLOAT32_3, ALL_FLOAT32_2, ALL_FLOAT32_1, NONE)(__VA_ARGS__))

// A condition of the user's own, which an option of the graph tells.
#define SPECIAL_CONDITION OPTION_BOOL("special_condition")

// Questions about two operands.
#define SAME_QUANT(X, Y) SAME_ENCODING(X, Y)

// An operation in half precision whose result is single precision again. Types that are not quantized have no encoding.
#define UNQUANTIZED(DTYPE, OP) WITH_OUTPUT_TYPE(DTYPE, 0, 1.0f, OP)
#define CAST_TO_FP16(X) WITH_SIZE(X, UNQUANTIZED(DType::Float16, Op("q::Cast", X)))
#define MAKE_OP_FP16_AND_INSERT_CAST(OP) UNQUANTIZED(DType::Float32, Op("q::Cast", UNQUANTIZED(DType::Float16, OP)))

// What a window without padding covers of an operand, for the slice of the output; STRIDE is a shape.
#define TYPICAL_CONV_SLICE(X, TAG, STRIDE, WINDOW) \
    AUTOSPLIT_SLICE(X, AUTOSPLIT_SHAPEFN_APPLY(conv_split_start_valid, TAG, X, STRIDE), \
                       AUTOSPLIT_SHAPEFN_APPLY(conv_split_size_valid, TAG, X, STRIDE, WINDOW))

// As many slices as there are threads, or fewer.
#define SPLIT_AMONG(COUNT, D, TAG, BODY) AUTOSPLIT(D, TAG, DIV(ADD(DIM_OF("*", D), SUB(COUNT, 1)), COUNT), BODY)
#define AUTOTHREAD_HVX(D, TAG, BODY) SPLIT_AMONG(HVX_THREADS, D, TAG, BODY)
#define AUTOTHREAD_HMX(D, TAG, BODY) SPLIT_AMONG(HMX_THREADS, D, TAG, BODY)
