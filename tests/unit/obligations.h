/* tests/unit/obligations.h: index obligations of real kernels, as text.
 *
 * Masks, strides, grouped order, NCHW decoding, implicit convolution, split-K,
 * paging, 32-bit limits. All sizes are symbolic unless a number is written.
 * `lets` and `facts` are separated by ';'. */
#ifndef TESTS_OBLIGATIONS_H
#define TESTS_OBLIGATIONS_H

typedef enum expectation {
  MUST_PROVE,
  HAS_MODEL, /* false: a counterexample is found */
} expectation;

typedef struct obligation {
  const char *name, *variables, *lets, *facts, *goal;
  expectation expected;
} obligation;

#define GROUPED_VARIABLES "size nm nn; program p1 p2;"
#define GROUPED_LETS(G)                                                        \
  "pr1 = p1 % (" G "*nn); g1 = p1 // (" G "*nn); gs1 = min(nm - g1*" G ", " G  \
  "); s1 = pr1 % gs1; pn1 = pr1 // gs1; pm1 = g1*" G " + s1;"                  \
  "pr2 = p2 % (" G "*nn); g2 = p2 // (" G "*nn); gs2 = min(nm - g2*" G ", " G  \
  "); s2 = pr2 % gs2; pn2 = pr2 // gs2; pm2 = g2*" G " + s2"
#define GROUPED_ONE "nm > 0; nn > 0; 0 <= p1 < nm*nn;"
#define GROUPED_TWO                                                            \
  GROUPED_ONE "0 <= p2 < nm*nn; gs1 > 0; gs2 > 0; pm1 == pm2; pn1 == pn2;"

#define TILE_VARIABLES                                                         \
  "size M N; stride ld; const BM BN; program pm pn p2 pn2; lane i j i2 j2;"
#define TILE_FACTS                                                             \
  "M > 0; N > 0; BM > 0; BN > 0; ld >= N; pm >= 0; pn >= 0; p2 >= 0;"          \
  "pn2 >= 0; 0 <= i < BM; 0 <= j < BN; 0 <= i2 < BM; 0 <= j2 < BN;"            \
  "pm*BM + i < M; p2*BM + i2 < M; pn*BN + j < N; pn2*BN + j2 < N;"
#define TILE_SAME "(pm*BM + i)*ld + pn*BN + j == (p2*BM + i2)*ld + pn2*BN + j2;"

#define MATMUL_VARIABLES                                                       \
  "size M N K; stride sm sk sn; const BM BN BK G; program p q; turn k;"        \
  "lane i j i2 j2;"
#define MATMUL_LETS                                                            \
  "nm = cdiv(M, BM); nn = cdiv(N, BN); ck = cdiv(K, BK); g = p // (G*nn);"     \
  "pr = p % (G*nn); gs = min(nm - g*G, G); pm = g*G + pr % gs; pn = pr // gs;" \
  "r = (pm*BM + i) % M; g2 = q // (G*nn); pr2 = q % (G*nn);"                   \
  "gs2 = min(nm - g2*G, G); pm2 = g2*G + pr2 % gs2; pn2 = pr2 // gs2"
#define MATMUL_FACTS                                                           \
  "M > 0; N > 0; K > 0; BM > 0; BN > 0; BK > 0; G > 0; 0 <= p < nm*nn;"        \
  "0 <= i < BM; sm >= 0; sk >= 0; sn >= 0;"

#define CONV_VARIABLES                                                         \
  "size NB OH OW C KH KW H W st pad; stride s0 s1 s2 s3; program m kk;"
#define CONV_LETS                                                              \
  "n = m // (OH*OW); t = m % (OH*OW); oh = t // OW; ow = t % OW;"              \
  "c = kk // (KH*KW); u = kk % (KH*KW); kh = u // KW; kw = u % KW;"            \
  "ih = oh*st - pad + kh; iw = ow*st - pad + kw"
#define CONV_FACTS                                                             \
  "NB > 0; OH > 0; OW > 0; C > 0; KH > 0; KW > 0; H > 0; W > 0; st > 0;"       \
  "pad >= 0; 0 <= m < NB*OH*OW; 0 <= kk < C*KH*KW; 0 <= ih < H; 0 <= iw < W;"  \
  "s0 >= 0; s1 >= 0; s2 >= 0; s3 >= 0;"
#define CONV_SPAN                                                              \
  "n*s0 + c*s1 + ih*s2 + iw*s3 <= (NB-1)*s0 + (C-1)*s1 + (H-1)*s2 + (W-1)*s3"

#define HEADS_VARIABLES                                                        \
  "size Z H S D; stride s0 s1 s2 s3; program zh a b; lane d e"
#define HEADS_FACTS                                                            \
  "Z > 0; H > 0; S > 0; D > 0; s0 >= 0; s1 >= 0; s2 >= 0; s3 >= 0;"            \
  "0 <= d < S; 0 <= e < D;"
#define HEADS_SPAN                                                             \
  "a*s0 + b*s1 + d*s2 + e*s3 <= (Z-1)*s0 + (H-1)*s1 + (S-1)*s2 + (D-1)*s3"

static const obligation OBLIGATIONS[] = {
    {"01 1-D mask", "size N; const B; program p; lane i", "c = cdiv(N, B)",
     "N >= 0; B > 0; 0 <= p < c; 0 <= i < B; p*B + i < N", "0 <= p*B + i < N",
     MUST_PROVE},
    {"02 block divides", "size N q; const B; program p; lane i", "",
     "N >= 0; B > 0; N == q*B; 0 <= p < q; 0 <= i < B", "p*B + i < N",
     MUST_PROVE},
    {"03 2-D contiguous", "size M N; lane r c", "",
     "M > 0; N > 0; 0 <= r < M; 0 <= c < N", "r*N + c < M*N", MUST_PROVE},
    {"04 2-D strides", "size M N; stride sm; lane r c", "",
     "M > 0; N > 0; sm >= N; 0 <= r < M; 0 <= c < N", "r*sm + c < (M-1)*sm + N",
     MUST_PROVE},
    {"04b 2-D both strides", "size M N; stride sm sk; lane r c", "",
     "M > 0; N > 0; sm >= 0; sk >= 0; 0 <= r < M; 0 <= c < N",
     "r*sm + c*sk <= (M-1)*sm + (N-1)*sk", MUST_PROVE},
    {"05 matmul A",
     "size M K; stride sm sk; const BM BK; program pm; turn k;"
     "lane i j",
     "ck = cdiv(K, BK); cm = cdiv(M, BM)",
     "M > 0; K > 0; BM > 0; BK > 0; 0 <= k < ck; 0 <= pm < cm; 0 <= i < BM;"
     "0 <= j < BK; pm*BM + i < M; k*BK + j < K; sm >= 0; sk >= 0",
     "(pm*BM + i)*sm + j*sk + k*BK*sk <= (M-1)*sm + (K-1)*sk", MUST_PROVE},
    {"06 matmul A wrapped",
     "size M K; stride sm sk; const BM BK; program pm;"
     "turn k; lane i j",
     "ck = cdiv(K, BK); r = (pm*BM + i) % M",
     "M > 0; K > 0; BM > 0; BK > 0; 0 <= k < ck; pm >= 0; 0 <= i < BM;"
     "0 <= j < BK; j < K - k*BK; sm >= 0; sk >= 0",
     "r*sm + j*sk + k*BK*sk <= (M-1)*sm + (K-1)*sk", MUST_PROVE},
    {"07 group size, 8", GROUPED_VARIABLES, GROUPED_LETS("8"), GROUPED_ONE,
     "gs1 >= 1", MUST_PROVE},
    {"07 group size, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_ONE "G > 0", "gs1 >= 1", MUST_PROVE},
    {"08 grouped row, 8", GROUPED_VARIABLES, GROUPED_LETS("8"),
     GROUPED_ONE "gs1 > 0", "0 <= pm1 < nm", MUST_PROVE},
    {"08 grouped row, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_ONE "G > 0; gs1 > 0", "0 <= pm1 < nm", MUST_PROVE},
    {"09 grouped column, 8", GROUPED_VARIABLES, GROUPED_LETS("8"),
     GROUPED_ONE "gs1 > 0", "0 <= pn1 < nn", MUST_PROVE},
    {"09 grouped column, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_ONE "G > 0; gs1 > 0", "0 <= pn1 < nn", MUST_PROVE},
    {"10 grouped injective, 8", GROUPED_VARIABLES, GROUPED_LETS("8"),
     GROUPED_TWO, "p1 == p2", MUST_PROVE},
    {"10 grouped injective, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_TWO "G > 0", "p1 == p2", MUST_PROVE},
    {"11 sweep group, 8", GROUPED_VARIABLES, GROUPED_LETS("8"), GROUPED_TWO,
     "g1 == g2", MUST_PROVE},
    {"11 sweep group, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_TWO "G > 0", "g1 == g2", MUST_PROVE},
    {"11 sweep size, 8", GROUPED_VARIABLES, GROUPED_LETS("8"),
     GROUPED_TWO "g1 == g2", "gs1 == gs2", MUST_PROVE},
    {"11 sweep size, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_TWO "G > 0; g1 == g2", "gs1 == gs2", MUST_PROVE},
    {"11 sweep slot, 8", GROUPED_VARIABLES, GROUPED_LETS("8"),
     GROUPED_TWO "g1 == g2; gs1 == gs2", "s1 == s2", MUST_PROVE},
    {"11 sweep slot, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_TWO "G > 0; g1 == g2; gs1 == gs2", "s1 == s2", MUST_PROVE},
    {"11 sweep rest, 8", GROUPED_VARIABLES, GROUPED_LETS("8"),
     GROUPED_TWO "g1 == g2; gs1 == gs2; s1 == s2", "pr1 == pr2", MUST_PROVE},
    {"11 sweep rest, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_TWO "G > 0; g1 == g2; gs1 == gs2; s1 == s2", "pr1 == pr2",
     MUST_PROVE},
    {"11 sweep program, 8", GROUPED_VARIABLES, GROUPED_LETS("8"),
     GROUPED_TWO "g1 == g2; gs1 == gs2; s1 == s2; pr1 == pr2", "p1 == p2",
     MUST_PROVE},
    {"11 sweep program, G", GROUPED_VARIABLES "const G", GROUPED_LETS("G"),
     GROUPED_TWO "G > 0; g1 == g2; gs1 == gs2; s1 == s2; pr1 == pr2",
     "p1 == p2", MUST_PROVE},
    {"12 tile race, one question", TILE_VARIABLES, "", TILE_FACTS TILE_SAME,
     "pm == p2 and pn == pn2 and i == i2 and j == j2", MUST_PROVE},
    {"13 tile race, rows", TILE_VARIABLES, "", TILE_FACTS TILE_SAME,
     "pm*BM + i == p2*BM + i2", MUST_PROVE},
    {"13 tile race, columns", TILE_VARIABLES, "",
     TILE_FACTS TILE_SAME "pm*BM + i == p2*BM + i2", "pn*BN + j == pn2*BN + j2",
     MUST_PROVE},
    {"13 tile race, program", TILE_VARIABLES, "",
     TILE_FACTS "pm*BM + i == p2*BM + i2; pn*BN + j == pn2*BN + j2", "pm == p2",
     MUST_PROVE},
    {"14 missing column mask",
     "size M N; stride sm; const BM BN; program pm pn; lane i j", "",
     "M > 0; N > 0; sm >= N; pm >= 0; pm*BM < M; BM == 16; BN == 16; pn >= 0;"
     "pn*BN < N; 0 <= i < BM; 0 <= j < BN; pm*BM + i < M",
     "(pm*BM + i)*sm + pn*BN + j < (M-1)*sm + N", HAS_MODEL},
    {"15 int32 product", "size M N; stride sm; lane r", "",
     "0 < M <= 2147483647; 0 < N <= 2147483647; 0 <= r < M;"
     "N <= sm <= 2147483647; M*sm <= 1099511627776",
     "r*sm <= 2147483647", HAS_MODEL},
    {"16 int32 safe", "size M N; stride sm; lane r c", "",
     "M > 0; N > 0; sm >= N; 0 <= r < M; (M-1)*sm + N <= 2147483647;"
     "0 <= c < N",
     "r*sm + c <= 2147483647", MUST_PROVE},
    {"16b int32 safe, program",
     "size M N; stride sm; const BM; program pm; lane i c", "cm = cdiv(M, BM)",
     "M > 0; N > 0; 0 < BM <= 1024; sm >= N; 0 <= pm < cm; 0 <= i < BM;"
     "(M-1)*sm + N <= 2147483647; M <= 2147483647; 0 <= c < N; pm*BM + i < M",
     "(pm*BM + i)*sm + c <= 2147483647", MUST_PROVE},
    {"17 4-D strides", HEADS_VARIABLES, "",
     HEADS_FACTS "0 <= a < Z; 0 <= b < H", HEADS_SPAN, MUST_PROVE},
    {"17b 4-D with quotient",
     "size Z H S D; stride s0 s1 s2 s3; program zh; lane d e",
     "a = zh // H; b = zh % H", HEADS_FACTS "0 <= zh < Z*H", HEADS_SPAN,
     MUST_PROVE},
    {"18 NCHW decoding", "size Z C HH W; program t",
     "x = t % W; q = t // W; y = q % HH; qq = q // HH; ch = qq % C;"
     "n = qq // C",
     "Z > 0; C > 0; HH > 0; W > 0; 0 <= t < Z*C*HH*W",
     "n < Z and ((n*C + ch)*HH + y)*W + x == t", MUST_PROVE},
    {"18b NCHW decoding, numbers", "size Z; program t",
     "x = t % 224; q = t // 224; y = q % 224; qq = q // 224; ch = qq % 3;"
     "n = qq // 3",
     "Z > 0; 0 <= t < Z*3*224*224",
     "n < Z and ((n*3 + ch)*224 + y)*224 + x == t", MUST_PROVE},
    {"19 split-K", "size K; const BK SPK; program pk; turn k; lane j",
     "ck = cdiv(K, BK*SPK)",
     "K > 0; BK > 0; SPK > 0; 0 <= pk < SPK; 0 <= k < ck; 0 <= j < BK;"
     "pk*BK + j < K - k*BK*SPK",
     "k*BK*SPK + pk*BK + j < K", MUST_PROVE},
    {"20 causal bound",
     "size S; stride s2; const BM BN; program pm; turn kk;"
     "lane j",
     "ub = min((pm + 1)*BM, S)",
     "S > 0; BM > 0; BN > 0; pm >= 0; pm*BM < S; kk >= 0; kk*BN < ub;"
     "0 <= j < BN; kk*BN + j < S; s2 >= 0",
     "(kk*BN + j)*s2 <= (S - 1)*s2", MUST_PROVE},
    {"21 persistent injective", "size P; program st1 st2; turn k1 k2", "",
     "P > 0; 0 <= st1 < P; 0 <= st2 < P; k1 >= 0; k2 >= 0;"
     "st1 + k1*P == st2 + k2*P",
     "st1 == st2 and k1 == k2", MUST_PROVE},
    {"22 paged", "size NB PS H D; unknown v; lane o b e", "",
     "NB > 0; PS > 0; 0 <= v < NB; 0 <= o < PS; H > 0; D > 0; 0 <= b < H;"
     "0 <= e < D",
     "((v*PS + o)*H + b)*D + e < NB*PS*H*D", MUST_PROVE},
    {"23 whole matmul, A load", MATMUL_VARIABLES, MATMUL_LETS,
     MATMUL_FACTS "0 <= k < ck; 0 <= j < BK; j < K - k*BK",
     "0 <= r*sm + j*sk + k*BK*sk <= (M-1)*sm + (K-1)*sk", MUST_PROVE},
    {"24 whole matmul, C store", MATMUL_VARIABLES, MATMUL_LETS,
     MATMUL_FACTS "0 <= j < BN; pm*BM + i < M; pn*BN + j < N",
     "0 <= sm*(pm*BM + i) + sn*(pn*BN + j) <= (M-1)*sm + (N-1)*sn", MUST_PROVE},
    {"25 convolution load", CONV_VARIABLES, CONV_LETS, CONV_FACTS, CONV_SPAN,
     MUST_PROVE},
    {"25b convolution, n", CONV_VARIABLES, CONV_LETS, CONV_FACTS, "n < NB",
     MUST_PROVE},
    {"25c convolution, c", CONV_VARIABLES, CONV_LETS, CONV_FACTS, "c < C",
     MUST_PROVE},
    {"25d convolution, span", CONV_VARIABLES, CONV_LETS,
     CONV_FACTS "0 <= n < NB; 0 <= c < C", CONV_SPAN, MUST_PROVE},
    {"26 int32 2-D span",
     "size M N; stride sm sn; const BM BN; program pm pn; lane i j",
     "nm = cdiv(M, BM)",
     "0 < M <= 2147483647; 0 < N <= 2147483647; BM > 0; BN > 0;"
     "BM*BN <= 1048576; sm >= 0; sn >= 0;"
     "(M-1)*sm + (N-1)*sn + 1 <= 2147483647; 0 <= pm < nm; pn >= 0;"
     "0 <= i < BM; 0 <= j < BN; pm*BM + i < M; pn*BN + j < N",
     "(pm*BM + i)*sm <= 2147483647 and (pn*BN + j)*sn <= 2147483647 and"
     "(pm*BM + i)*sm + (pn*BN + j)*sn <= 2147483647",
     MUST_PROVE},
    {"27 int32 wrap before mask",
     "size M N; const BM BN; program pm pn; lane i j", "",
     "0 < M <= 2147483647; 0 < N <= 2147483647; M*N <= 2147483647; BM == 64;"
     "BN == 64; pm >= 0; pm*64 < M; pn >= 0; pn*64 < N; 0 <= i < 64;"
     "0 <= j < 64",
     "(pm*64 + i)*N + pn*64 + j <= 2147483647", HAS_MODEL},
    {"28 whole matmul race", MATMUL_VARIABLES, MATMUL_LETS,
     MATMUL_FACTS "0 <= q < nm*nn; 0 <= j < BN; 0 <= i2 < BM; 0 <= j2 < BN;"
                  "pm*BM + i < M; pn*BN + j < N; pm2*BM + i2 < M;"
                  "pn2*BN + j2 < N; sn == 1; sm >= N;"
                  "(pm*BM + i)*sm + (pn*BN + j)*sn =="
                  "(pm2*BM + i2)*sm + (pn2*BN + j2)*sn",
     "p == q", MUST_PROVE},
    {"29 rope", "size R D; program row; lane c", "half = D // 2",
     "R > 0; D > 0; 0 <= row < R; 0 <= c < half", "row*D + c + half < R*D",
     MUST_PROVE},
    {"30 int4 pack", "size K N K8; lane k j", "q = k // 8",
     "K > 0; N > 0; 0 <= k < K; K8*8 == K; 0 <= j < N", "q*N + j < K8*N",
     MUST_PROVE},
    {"31 group scales", "size K N; const G; lane k j",
     "q = k // G; ck = cdiv(K, G)",
     "K > 0; N > 0; G > 0; 0 <= k < K; 0 <= j < N", "q*N + j < ck*N",
     MUST_PROVE},
};

#endif
