/* Made by coefficients.py. Polynomials have the lowest power first. */
#include <stdint.h>

/* 2^(i / PARTS), and (2^r - 1) / r for |r| <= 1 / (2 * PARTS). */
enum { PARTS = 32 };
static const double powers[32] = {0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0, 0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0, 0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0, 0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0, 0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0, 0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0, 0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0, 0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0, 0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0, 0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0, 0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0};
static const double power_rest[5] = {0x1.62e42fefa39efp-1, 0x1.ebfbdff8131c3p-3, 0x1.c6b08d70400d0p-5, 0x1.3b2b1bee88b09p-7, 0x1.5d884e708e6aap-10};

/* Parts of an octave around 1: where the first begins, reciprocals of their middles, and what those add to log2. */
static const uint64_t first_part = 0x3feb400000000000;
static const double reciprocals[32] = {0x1.29e4130000000p+0, 0x1.2492490000000p+0, 0x1.1f70480000000p+0, 0x1.1a7b960000000p+0, 0x1.15b1e60000000p+0, 0x1.1111110000000p+0, 0x1.0c97150000000p+0, 0x1.0842110000000p+0, 0x1.0410410000000p+0, 0x1.0000000000000p+0, 0x1.f07c200000000p-1, 0x1.e1e1e20000000p-1, 0x1.d41d420000000p-1, 0x1.c71c720000000p-1, 0x1.bacf920000000p-1, 0x1.af286c0000000p-1, 0x1.a41a420000000p-1, 0x1.99999a0000000p-1, 0x1.8f9c180000000p-1, 0x1.8618620000000p-1, 0x1.7d05f40000000p-1, 0x1.745d180000000p-1, 0x1.6c16c20000000p-1, 0x1.642c860000000p-1, 0x1.5c98820000000p-1, 0x1.5555560000000p-1, 0x1.4e5e0a0000000p-1, 0x1.47ae140000000p-1, 0x1.4141420000000p-1, 0x1.3b13b20000000p-1, 0x1.3521d00000000p-1, 0x1.2f684c0000000p-1};
static const double logarithms[32] = {-0x1.bfc67e497d02cp-3, -0x1.8a897f3aa75ccp-3, -0x1.563dc4114f416p-3, -0x1.22dadb72090e4p-3, -0x1.e0b1af47da109p-4, -0x1.7d6047fba73e7p-4, -0x1.1bb32abc5a676p-4, -0x1.7739624188772p-5, -0x1.743ee6f09edf1p-6, 0x0.0p+0, 0x1.6bad2043a8791p-5, 0x1.663f6e3b3cbb2p-4, 0x1.08c587b8a8459p-3, 0x1.5c01a22e68f24p-3, 0x1.acf5de2afc49ap-3, 0x1.fbc16a1ed20a6p-3, 0x1.2440796db68c3p-2, 0x1.49a7834b7d429p-2, 0x1.6e22207523f6dp-2, 0x1.91bba6c447dcfp-2, 0x1.b47ebfcfdd47ap-2, 0x1.d6753b2085b50p-2, 0x1.f7a85434872d2p-2, 0x1.0c104f268ee09p-1, 0x1.1bf31371c6bf0p-1, 0x1.2b803302a3372p-1, 0x1.3abb40a7ec27fp-1, 0x1.49a785d1d111ap-1, 0x1.584820b2f5874p-1, 0x1.66a00716cef96p-1, 0x1.74b1fcac363a3p-1, 0x1.82809cff91e9ap-1};
/* log2(1 + r) / r for |r| <= 1 / (2 * PARTS). */
static const double logarithm_rest[7] = {0x1.71547652b82fep+0, -0x1.71547652b8d18p-1, 0x1.ec709dc3a15f3p-2, -0x1.715475b1161a6p-2, 0x1.2776c47f4cf71p-2, -0x1.ec9905870a249p-3, 0x1.a63b4d298db8ep-3};

/* In z = r^2: sin(r) / r and cos(r) for |r| <= pi / 4. */
static const double sine[6] = {0x1.fffffffffffd9p-1, -0x1.5555555550efep-3, 0x1.1111110bde5e3p-7, -0x1.a019f8a207d3fp-13, 0x1.71d7317b8ee33p-19, -0x1.a9507f3711e2dp-26};
static const double cosine[6] = {0x1.ffffffffffe0bp-1, -0x1.ffffffffe3763p-2, 0x1.5555554476425p-5, -0x1.6c16b2d3e61f5p-10, 0x1.a00e9685da9c4p-16, -0x1.23c5c15441a00p-22};
/* atan(r) / r for |r| <= tan(pi / 8), and asin(r) / r for |r| <= 1 / 2. */
static const double arc_tangent[8] = {0x1.fffffffffe56dp-1, -0x1.5555554ba45bcp-2, 0x1.99999046d1e86p-3, -0x1.24909144ba082p-3, 0x1.c6cc2f2f6f999p-4, -0x1.7055c066509b3p-4, 0x1.1da9c35cc3322p-4, -0x1.34787b1b4ac83p-5};
static const double arc_sine[10] = {0x1.ffffffffffe37p-1, 0x1.55555556ba261p-3, 0x1.333331c54a5c9p-4, 0x1.6db76c4073936p-5, 0x1.f1aa2e3259ba2p-6, 0x1.703109f1e31b1p-6, 0x1.0de3abdd2358ep-6, 0x1.315f91ce454b4p-6, -0x1.76633841944a1p-9, 0x1.05af6a78bec66p-5};

/* erf(r) / r in z = r^2 for |r| <= 1 / 2; then erf(c + r) for each middle c of half a unit from 1 / 2 to 4. */
static const double error_start[7] = {0x1.20dd7504299a6p+0, -0x1.812746af8968ep-2, 0x1.ce2f20f1cc4dcp-4, -0x1.b82ca17586b5ap-6, 0x1.5650064120833p-8, -0x1.bdffdd58b5872p-11, 0x1.c5f0aaee3c83ap-14};
static const double error_pieces[7][10] = {
    {0x1.6c1c9759d1980p-1, 0x1.492e42d78fae5p-1, -0x1.edc56447ad525p-2, 0x1.b6e8582494d8ap-6, 0x1.349b6308102c0p-3, -0x1.b429d9cf73a27p-5, -0x1.b84da44b04102p-6, 0x1.2df4fa39d70a9p-6, 0x1.314afb8e0c830p-9, -0x1.fb814478c2dcep-9},
    {0x1.d8865d98af176p-1, 0x1.e4652fadc6408p-3, -0x1.2ebf3de0b99fap-2, 0x1.571d01d5eb794p-3, -0x1.93a72422b6d19p-8, -0x1.8281ee60bf0a3p-5, 0x1.5ce3d4533295cp-6, 0x1.db9e8d07b65e3p-9, -0x1.6d55239009effp-8, 0x1.b20e3c899f6acp-11},
    {0x1.f92d077f8b91cp-1, 0x1.b055303220786p-5, -0x1.7a4a89ff9b904p-4, 0x1.7148c3d6519c8p-4, -0x1.8a0dd19007adcp-5, 0x1.b2225149590bep-8, 0x1.25d28d981f797p-7, -0x1.8d0fddf73a62dp-8, 0x1.5b0e1a4d2432dp-11, 0x1.d437ae4aef267p-11},
    {0x1.ff404760318b9p-1, 0x1.d4143a9e209edp-8, -0x1.074b60f2c1b21p-6, 0x1.63ef61cd8d696p-6, -0x1.38a9862eaa4f9p-6, 0x1.5d3b3253bb995p-7, -0x1.7ca9e7ba20d73p-9, -0x1.5fcd8fe773e58p-11, 0x1.0572cb8a36da3p-10, -0x1.78acd29adaad0p-12},
    {0x1.fff2cfb045771p-1, 0x1.3360ccd1fd026p-11, -0x1.a6a51b08541edp-10, 0x1.69cf469f5b444p-9, -0x1.ab0bcd679b18fp-9, 0x1.69357cb858190p-9, -0x1.b294cedab22f7p-10, 0x1.52c7e85447f1fp-11, -0x1.5160089f6d682p-14, -0x1.34ef979d20a47p-14},
    {0x1.ffff6f9f67e33p-1, 0x1.e9b5e8ce811bep-16, -0x1.8de3cc53cb791p-14, 0x1.9aa48a7e5d506p-13, -0x1.2c7d79c223fcep-12, 0x1.490a268a47620p-12, -0x1.144fa32c092a1p-12, 0x1.648ceb3487cb4p-13, -0x1.57dabe66002a1p-14, 0x1.ab1bf1345d948p-16},
    {0x1.fffffc2f171b7p-1, 0x1.d9371e3cd26b8p-21, -0x1.bba38a01132b4p-19, 0x1.0b6a788c56849p-17, -0x1.d073a1a25afcfp-17, 0x1.34375d65f19afp-16, -0x1.42f7be37f9dafp-16, 0x1.10f1b9d597b9cp-16, -0x1.8318a5a00706fp-17, 0x1.a20720223425cp-18}};

/* 2 / pi in words behind one word for its whole part. */
static const uint32_t two_over_pi[8] = {0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
