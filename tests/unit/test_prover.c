/* tests/unit/test_prover.c: obligations of real kernels, delinearisation,
 * models. */
#include "analysis/query.h"
#include "base/vec.h"
#include "obligations.h"
#include "sym_reader.h"
#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

typedef VEC(sym) sym_list;

typedef struct problem {
  arena *arena;
  reader reader;
  symtab *t;
  prover *prover;
  sym_list facts;
} problem;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void read_list(problem *p, const char *text, bool lets) {
  char *copy = arena_strdup(p->arena, text), *saved = NULL;
  for (char *part = strtok_r(copy, ";", &saved); part;
       part = strtok_r(NULL, ";", &saved)) {
    if (strspn(part, " ") == strlen(part))
      continue;
    if (lets) {
      reader_let(&p->reader, part + strspn(part, " "));
    } else {
      sym fact = reader_read(&p->reader, part);
      VEC_PUSH(p->arena, &p->facts, fact);
    }
  }
}

static problem open_problem(const char *variables, const char *lets,
                            const char *facts, bool no_z3) {
  problem p = {.arena = arena_create()};
  p.t = p.reader.t = symtab_create(p.arena);
  p.prover = prover_create(p.arena, p.t, (prover_options){.no_z3 = no_z3});
  reader_declare(&p.reader, variables);
  read_list(&p, lets, true);
  read_list(&p, facts, false);
  return p;
}

static sym read(problem *p, const char *text) {
  return reader_read(&p->reader, text);
}

static void obligations_are_decided(void **state) {
  size_t fast = 0, by_z3 = 0, open = 0;
  double fast_ms = 0;
  (void)state;
  for (size_t i = 0; i < sizeof OBLIGATIONS / sizeof *OBLIGATIONS; i++) {
    const obligation *o = &OBLIGATIONS[i];
    problem p = open_problem(o->variables, o->lets, o->facts, false);
    sym goal = read(&p, o->goal);
    double before = now_ms();
    proof result = prover_prove(p.prover, p.facts.at, p.facts.count, goal);
    double ms = now_ms() - before;
    bool without_z3 = result.proved && result.method != METHOD_Z3;
    fast += without_z3;
    fast_ms += without_z3 ? ms : 0;
    by_z3 += result.method == METHOD_Z3;
    open += !result.proved;
    if (result.proved != (o->expected == MUST_PROVE))
      print_message("%s: %s\n", o->name, proof_method_name(result.method));
    if (o->expected == MUST_PROVE)
      assert_true(result.proved);
    if (o->expected == HAS_MODEL)
      assert_false(result.proved);
    if (!result.proved)
      assert_int_not_equal(result.trouble, TROUBLE_DEADLINE);
    arena_destroy(p.arena);
  }
  print_message("%zu by bounds and certificates (%.1f ms), %zu by Z3, "
                "%zu open\n",
                fast, fast_ms, by_z3, open);
  assert_true(fast >= 45);
}

static void faulty_obligations_have_models(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof OBLIGATIONS / sizeof *OBLIGATIONS; i++) {
    const obligation *o = &OBLIGATIONS[i];
    if (o->expected != HAS_MODEL)
      continue;
    problem p = open_problem(o->variables, o->lets, o->facts, false);
    sym opposite = sym_not(p.t, read(&p, o->goal));
    VEC_PUSH(p.arena, &p.facts, opposite);
    model m;
    assert_int_equal(
        prover_model(p.prover, p.facts.at, p.facts.count, 0, p.arena, &m), YES);
    assert_true(m.count > 0);
    arena_destroy(p.arena);
  }
}

/* No obligation is proved because its facts contradict each other. */
static void contexts_have_a_point(void **state) {
  (void)state;
  size_t with_point = 0;
  for (size_t i = 0; i < sizeof OBLIGATIONS / sizeof *OBLIGATIONS; i++) {
    const obligation *o = &OBLIGATIONS[i];
    problem p = open_problem(o->variables, o->lets, o->facts, false);
    model m;
    truth answer =
        prover_model(p.prover, p.facts.at, p.facts.count, 0, p.arena, &m);
    if (answer != YES)
      print_message("%s: no point found\n", o->name);
    assert_int_not_equal(answer, NO);
    with_point += answer == YES;
    arena_destroy(p.arena);
  }
  print_message("%zu contexts with a point\n", with_point);
  assert_true(with_point >= 52);
}

typedef struct inside_case {
  const char *name, *variables, *lets, *facts, *offset;
  const char *extents, *strides; /* separated by ';' */
  bool inside;                   /* must be proved; else must not be */
  bool solver;                   /* Z3 may be needed */
} inside_case;

#define MATRIX "size M N K; stride sm sn sk; const BM BN BK; program pm pn t;"
#define MATRIX_FACTS                                                           \
  "M >= 0; N >= 0; K >= 0; BM > 0; BN > 0; BK > 0; 0 <= pm < cdiv(M, BM);"     \
  "0 <= pn < cdiv(N, BN); 0 <= i < BM; 0 <= j < BN; 0 <= l < BK;"
#define LANES "turn k; lane i j l"

static const inside_case INSIDE[] = {
    {"free strides", MATRIX LANES, "",
     MATRIX_FACTS "pm*BM + i < M; pn*BN + j < N",
     "(pm*BM + i)*sm + (pn*BN + j)*sn", "M;N", "sm;sn", true, false},
    {"transposed", MATRIX LANES, "",
     MATRIX_FACTS "pm*BM + i < M; pn*BN + j < N", "(pm*BM + i) + (pn*BN + j)*M",
     "M;N", "1;M", true, false},
    {"row-major", MATRIX LANES, "", MATRIX_FACTS "pm*BM + i < M; pn*BN + j < N",
     "(pm*BM + i)*N + pn*BN + j", "M;N", "N;1", true, false},
    {"column mask missing", MATRIX LANES, "", MATRIX_FACTS "pm*BM + i < M",
     "(pm*BM + i)*N + pn*BN + j", "M;N", "N;1", false, true},
    {"rows and columns exchanged", MATRIX LANES, "",
     MATRIX_FACTS "pm*BM + i < M; pn*BN + j < N",
     "(pm*BM + i)*sn + (pn*BN + j)*sm", "M;N", "sm;sn", false, true},
    {"square", MATRIX LANES, "", MATRIX_FACTS "pm*BM + i < N; pn*BN + j < N",
     "(pm*BM + i)*N + pn*BN + j", "N;N", "N;1", true, false},
    {"carried pointer, K loop", MATRIX LANES, "",
     MATRIX_FACTS "0 <= k < cdiv(K, BK); pm*BM + i < M; l < K - k*BK",
     "(pm*BM + i)*sm + k*BK*sk + l*sk", "M;K", "sm;sk", true, false},
    {"carried pointer, wrapped rows", MATRIX LANES, "",
     MATRIX_FACTS "0 <= k < cdiv(K, BK); M > 0; l < K - k*BK",
     "((pm*BM + i) % M)*sm + k*BK*sk + l*sk", "M;K", "sm;sk", true, false},
    {"K loop without mask, BK divides K", MATRIX LANES, "",
     MATRIX_FACTS "0 <= k < cdiv(K, BK); K % BK == 0; pm*BM + i < M",
     "(pm*BM + i)*sm + k*BK*sk + l*sk", "M;K", "sm;sk", true, false},
    {"K loop without mask, bound by turns", MATRIX LANES, "",
     MATRIX_FACTS "k >= 0; k*BK < K; K % BK == 0; pm*BM + i < M",
     "(pm*BM + i)*sm + k*BK*sk + l*sk", "M;K", "sm;sk", true, false},
    {"K loop without mask", MATRIX LANES, "",
     MATRIX_FACTS "0 <= k < cdiv(K, BK); pm*BM + i < M",
     "(pm*BM + i)*sm + k*BK*sk + l*sk", "M;K", "sm;sk", false, true},
    {"numeric strides", "size Z; program z; lane i j c", "",
     "Z >= 0; 0 <= z < Z; 0 <= c < 3; 0 <= i < 224; 0 <= j < 224",
     "z*150528 + c*50176 + i*224 + j", "Z;3;224;224", "150528;50176;224;1",
     true, false},
    {"numeric strides, one row too far", "size Z; program z; lane i j c", "",
     "Z >= 0; 0 <= z < Z; 0 <= c < 3; 0 <= i < 224; 0 <= j < 224",
     "z*150528 + c*50176 + i*224 + j + 224", "Z;3;224;224",
     "150528;50176;224;1", false, true},
    {"padding, symbolic", "size H W; const P; lane i j u v",
     "ih = i - P + u; iw = j - P + v",
     "H > 0; W > 0; P >= 0; i >= 0; j >= 0; 0 <= ih < H; 0 <= iw < W",
     "ih*W + iw", "H;W", "W;1", true, false},
    {"padding, numbers", "size H; lane i j u v",
     "ih = i - 1 + u; iw = j - 1 + v",
     "H > 0; i >= 0; j >= 0; 0 <= ih < H; 0 <= iw < 56", "ih*56 + iw", "H;56",
     "56;1", true, false},
    {"flat elementwise", "size M N; const B; program p; lane i", "",
     "M >= 0; N >= 0; B > 0; p >= 0; 0 <= i < B; p*B + i < M*N", "p*B + i",
     "M;N", "N;1", true, false},
    {"flat over a padded tensor",
     "size M N; stride sm; const B; program p; lane i", "",
     "M >= 0; N >= 0; B > 0; p >= 0; 0 <= i < B; p*B + i < M*N; sm >= N",
     "p*B + i", "M;N", "sm;1", false, true},
    {"reversed along the row", "size M N; lane r c", "",
     "M >= 0; N > 0; 0 <= r < M; 0 <= c < N", "r*N + N - 1 - c", "M;N", "N;1",
     true, false},
    {"quotient and remainder", "size N C; lane o", "",
     "N >= 0; C > 0; 0 <= o < N*C", "(o // C)*C + o % C", "N;C", "C;1", true,
     false},
    {"quotient and remainder, free strides", "size N C; stride sn sc; lane o",
     "", "N >= 0; C > 0; 0 <= o < N*C", "(o // C)*sn + o % C * sc", "N;C",
     "sn;sc", true, false},
    {"attention heads",
     "size Z H S D; stride sz sh ss sd; const BM; program pm zh; lane i d",
     "z = zh // H; h = zh % H",
     "Z > 0; H > 0; S > 0; D > 0; BM > 0; 0 <= zh < Z*H; pm >= 0;"
     "0 <= i < BM; pm*BM + i < S; 0 <= d < D",
     "z*sz + h*sh + (pm*BM + i)*ss + d*sd", "Z;H;S;D", "sz;sh;ss;sd", true,
     false},
    {"grouped heads, contiguous", "size Z H G S D; program zh; lane s d",
     "z = zh // H; h = zh % H // G",
     "Z > 0; G > 0; H > 0; H % G == 0; S > 0; D > 0; 0 <= zh < Z*H;"
     "0 <= s < S; 0 <= d < D",
     "((z*(H // G) + h)*S + s)*D + d", "Z;H // G;S;D", "(H // G)*S*D;S*D;D;1",
     true, true},
    {"broadcast axis", "size M N; stride sm; lane r", "",
     "M > 0; N > 0; 0 <= r < M", "r*sm", "M;N", "sm;0", true, false},
    {"empty broadcast axis", "size M N; stride sm; lane r", "",
     "M > 0; N >= 0; 0 <= r < M", "r*sm", "M;N", "sm;0", false, true},
    {"one axis", "size N; const B; program p; lane i", "",
     "N >= 0; B > 0; p >= 0; 0 <= i < B; p*B + i < N", "p*B + i", "N", "1",
     true, false},
    {"one axis, unit stride not known",
     "size N; stride s; const B; program p; lane i", "",
     "N >= 0; B > 0; p >= 0; 0 <= i < B; p*B + i < N", "p*B + i", "N", "s",
     false, true},
    {"unit stride stated", "size N; stride s; lane i", "",
     "N >= 0; s == 1; 0 <= i < N", "i*s", "N", "s", true, false},
    {"scalar", "size N; lane i", "", "N > 0", "0", "", "", true, false},
    {"scalar, next element", "size N; lane i", "", "N > 0", "1", "", "", false,
     true},
    {"truncating quotient", "size N C; stride sn sc; program o", "",
     "N >= 0; C > 0; 0 <= o < N*C", "tdiv(o, C)*sn + tmod(o, C)*sc", "N;C",
     "sn;sc", true, false},
};

static size_t read_axes(problem *p, const char *text, sym *out) {
  sym_list saved = p->facts;
  char *copy = arena_strdup(p->arena, text), *rest = NULL;
  size_t n = 0;
  for (char *part = strtok_r(copy, ";", &rest); part;
       part = strtok_r(NULL, ";", &rest))
    out[n++] = read(p, part);
  p->facts = saved;
  return n;
}

static void elements_are_found(void **state) {
  size_t by_z3 = 0;
  (void)state;
  for (size_t i = 0; i < sizeof INSIDE / sizeof *INSIDE; i++) {
    const inside_case *c = &INSIDE[i];
    problem p = open_problem(c->variables, c->lets, c->facts, !c->solver);
    sym extent[8], stride[8], index[8], offset = read(&p, c->offset);
    size_t rank = read_axes(&p, c->extents, extent);
    assert_int_equal(read_axes(&p, c->strides, stride), rank);
    double before = now_ms();
    proof result = prover_inside(p.prover, p.facts.at, p.facts.count, offset,
                                 extent, stride, rank, index);
    double ms = now_ms() - before;
    by_z3 += result.method == METHOD_Z3;
    if (result.proved != c->inside || (c->inside && ms > 50))
      print_message("%s: %s, %.2f ms\n", c->name,
                    proof_method_name(result.method), ms);
    assert_int_equal(result.proved, c->inside);
    sym sum = sym_int(p.t, 0);
    bool complete = result.proved;
    for (size_t d = 0; d < rank && complete; d++) {
      complete = index[d] != SYM_NONE;
      if (complete)
        sum = sym_add(p.t, sum, sym_mul(p.t, index[d], stride[d]));
    }
    if (complete)
      assert_true(sum == offset);
    arena_destroy(p.arena);
  }
  print_message("%zu of the tensor accesses by Z3\n", by_z3);
}

static void delinearisation_matches(void **state) {
  (void)state;
  problem p = open_problem("size C H W; lane n c y x; stride s", "", "", true);
  sym stride[4], index[4];
  read_axes(&p, "C*H*W;H*W;W;1", stride);
  assert_true(
      delinearise(p.t, read(&p, "((n*C + c)*H + y)*W + x"), stride, 4, index));
  assert_true(index[0] == read(&p, "n") && index[1] == read(&p, "c"));
  assert_true(index[2] == read(&p, "y") && index[3] == read(&p, "x"));
  stride[0] = read(&p, "s");
  assert_false(delinearise(p.t, read(&p, "n*s + c"), stride, 1, index));
  assert_true(delinearise(p.t, read(&p, "n*s + 3*s"), stride, 1, index));
  assert_true(index[0] == read(&p, "n + 3"));
  arena_destroy(p.arena);
}

typedef struct model_case {
  const char *variables, *facts;
  int64_t limit;
  truth answer;
} model_case;

static void models_are_exact(void **state) {
  static const model_case cases[] = {
      {"size n", "n > 4; is_pow2(n)", 8, YES},
      {"size n", "n > 4; is_pow2(n); n < 8", 0, NO},
      {"size n", "n > 4; not is_pow2(n); n < 6", 0, YES},
      {"size n", "n > 7; not is_pow2(n); n < 9", 0, NO},
      {"size n; const B", "B == next_pow2(n); B == 64; n < 40", 0, YES},
      {"size n; const B", "B == next_pow2(n); B == 64; n < 33", 0, NO},
      {"size n", "next_pow2(n) == 0", 0, YES},
      {"size n", "next_pow2(n) == 0; n != 0", 0, NO},
      {"size n", "next_pow2(n) == 1; n < 0", 0, YES},
      {"size n", "n >= 100", 16, NO},
      {"program p", "p >= 100", 16, YES},
      {"size a b", "a // b == 0 - 2; b < 0", 0, YES},
      {"size a b", "tdiv(a, b) == 0 - 2; a < 0; a + 2*b > 0", 0, NO},
      {"size a b", "a % b == 0 - 1", 0, YES},
      {"size a b", "tmod(a, b) == 3; a < 0", 0, NO},
      {"size a", "a // 4 == 3; a % 4 == 2", 0, YES},
      {"size a b", "(a if a > b else b) == 5; a < 5; b < 5", 0, NO},
      {"size a b", "a*a == b + 3; a > 10", 0, YES},
      {"size a", "a >= 9000000000000000000; a < 9100000000000000000", 0, YES},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    problem p = open_problem(cases[i].variables, "", cases[i].facts, false);
    model m;
    truth answer = prover_model(p.prover, p.facts.at, p.facts.count,
                                cases[i].limit, p.arena, &m);
    if (answer != cases[i].answer)
      print_message("%s: %d\n", cases[i].facts, (int)answer);
    assert_int_equal(answer, cases[i].answer);
    arena_destroy(p.arena);
  }
}

static void applications_get_values(void **state) {
  (void)state;
  problem p = open_problem("size n; lane i", "", "n > 0; 0 <= i < n", false);
  sym i = read(&p, "i"), value = sym_apply(p.t, 1, &i, 1);
  sym mask = sym_apply_bool(p.t, 2, &i, 1), zero = sym_int(p.t, 0);
  sym more[] = {sym_ge(p.t, value, sym_int(p.t, 7)), mask,
                sym_lt(p.t, value, read(&p, "n"))};
  for (size_t k = 0; k < 3; k++)
    VEC_PUSH(p.arena, &p.facts, more[k]);
  model m;
  assert_int_equal(
      prover_model(p.prover, p.facts.at, p.facts.count, 0, p.arena, &m), YES);
  assert_int_equal(m.count, 4);
  /* A literal among the facts is proved, its negation is not. */
  assert_true(prover_prove(p.prover, p.facts.at, p.facts.count, mask).proved);
  assert_false(
      prover_prove(p.prover, p.facts.at, p.facts.count, sym_not(p.t, mask))
          .proved);
  assert_true(prover_prove(p.prover, p.facts.at, p.facts.count,
                           sym_gt(p.t, read(&p, "n"), zero))
                  .proved);
  arena_destroy(p.arena);
}

static void connectives_are_proved_in_parts(void **state) {
  (void)state;
  problem p = open_problem("size n m; lane i", "",
                           "n > 0; m >= n; i < n; i >= 0 or m == 3", true);
  assert_true(prover_prove(p.prover, p.facts.at, p.facts.count,
                           read(&p, "i < n and i <= m and m != 0"))
                  .proved);
  assert_true(prover_prove(p.prover, p.facts.at, p.facts.count,
                           read(&p, "i < 0 or m > i"))
                  .proved);
  assert_true(prover_implies_fast(p.prover, p.facts.at, p.facts.count,
                                  read(&p, "i > m or n >= i")));
  assert_false(prover_implies_fast(p.prover, p.facts.at, p.facts.count,
                                   read(&p, "i >= 0")));
  assert_false(prover_implies_fast(p.prover, p.facts.at, p.facts.count,
                                   read(&p, "i > 0 or m > n")));
  VEC_PUSH(p.arena, &p.facts, read(&p, "m != 3"));
  assert_true(prover_implies_fast(p.prover, p.facts.at, p.facts.count,
                                  read(&p, "i >= 0")));
  arena_destroy(p.arena);
}

/* The same query costs the same, whatever was asked before. */
static void queries_repeat(void **state) {
  const obligation *o = NULL;
  (void)state;
  for (size_t i = 0; i < sizeof OBLIGATIONS / sizeof *OBLIGATIONS; i++)
    if (OBLIGATIONS[i].expected == HAS_MODEL)
      o = &OBLIGATIONS[i];
  uint64_t used[2];
  for (int round = 0; round < 2; round++) {
    problem p = open_problem("program zz; size nn", "", "", false);
    if (round == 1) {
      reader_read(&p.reader, "zz*nn + nn*nn*nn + 7 - min(zz, nn) // 3");
      VEC_PUSH(p.arena, &p.facts, read(&p, "nn > 0"));
      prover_prove(p.prover, p.facts.at, 1, read(&p, "nn*nn > zz"));
    }
    p.facts.count = 0;
    reader_declare(&p.reader, o->variables);
    read_list(&p, o->lets, true);
    read_list(&p, o->facts, false);
    sym goal = read(&p, o->goal);
    uint64_t before = prover_statistics(p.prover).z3_rlimit_used;
    prover_prove(p.prover, p.facts.at, p.facts.count, goal);
    used[round] = prover_statistics(p.prover).z3_rlimit_used - before;
    arena_destroy(p.arena);
  }
  assert_true(used[0] > 0);
  assert_true(used[0] == used[1]);
}

/* Asks with a prover of its own over the memo's answers. */
static proof ask_remembered(proof_memo *memo, prover_options options,
                            const char *variables, const char *facts,
                            const char *goal, uint64_t *z3_calls) {
  problem p = open_problem(variables, "", facts, false);
  options.memo = memo;
  p.prover = prover_create(p.arena, p.t, options);
  proof result =
      prover_prove(p.prover, p.facts.at, p.facts.count, read(&p, goal));
  *z3_calls = prover_statistics(p.prover).z3_calls;
  arena_destroy(p.arena);
  return result;
}

/* Another table finds the answer by the question's shape; another question
 * does not. A failure counts for no more work than it had. */
static void answers_are_remembered(void **state) {
  static const char goal[] = "a*a*a + b*b*b != c*c*c";
  arena *arena = arena_create();
  proof_memo *memo = memo_create(arena);
  prover_options low = {.rlimit = 2000}, high = {.rlimit = 6000};
  uint64_t calls;
  (void)state;
  ask_remembered(memo, low, "size a b c", "a > 0; b > 0; c > 0", goal, &calls);
  assert_int_equal(calls, 1);
  proof again = ask_remembered(memo, low, "size c b a; lane i",
                               "c > 0; a > 0; b > 0", goal, &calls);
  assert_int_equal(calls, 0);
  assert_false(again.proved);
  assert_int_equal(again.trouble, TROUBLE_RESOURCE);
  ask_remembered(memo, high, "size a b c", "a > 0; b > 0; c > 0", goal, &calls);
  assert_int_equal(calls, 1);
  ask_remembered(memo, low, "size a b c", "a > 0; b > 0; c > 0", goal, &calls);
  assert_int_equal(calls, 0);
  ask_remembered(memo, low, "size a b c", "a > 0; b > 0; c > 1", goal, &calls);
  assert_int_equal(calls, 1);
  ask_remembered(memo, low, "size a b; stride c", "a > 0; b > 0; c > 0", goal,
                 &calls);
  assert_int_equal(calls, 1);
  assert_true(
      ask_remembered(memo, low, "size a b", "a > b; b > 2", "a > 3", &calls)
          .proved);
  assert_false(
      ask_remembered(memo, low, "size a b", "a >= b; b > 2", "a > 3", &calls)
          .proved);
  arena_destroy(arena);
}

static void the_limit_is_a_limit(void **state) {
  (void)state;
  problem p = open_problem("size a b c", "", "a > 0; b > 0; c > 0", false);
  p.prover = prover_create(p.arena, p.t, (prover_options){.rlimit = 2000});
  proof result = prover_prove(p.prover, p.facts.at, p.facts.count,
                              read(&p, "a*a*a + b*b*b != c*c*c"));
  assert_false(result.proved);
  assert_int_equal(result.trouble, TROUBLE_RESOURCE);
  arena_destroy(p.arena);
}

/* Elements of a tensor with four free strides, found by dividing a program id;
 * and two programs of a grouped order that meet. Both hold, and the solver by
 * itself finds no proof. */
static const char *const ENDLESS[][3] = {
    {"size n_batch n_head n_row n_col; stride sb sh sr sc; program bh; "
     "lane row col",
     "batch = bh // n_head; head = bh % n_head",
     "n_batch > 0; n_head > 0; n_row > 0; n_col > 0; sb >= 0; sh >= 0; "
     "sr >= 0; sc >= 0; bh >= 0; bh < n_batch*n_head; "
     "batch*n_head + head == bh; head >= 0; head < n_head; "
     "row >= 0; row < n_row; col >= 0; col < n_col; "
     "batch*sb + head*sh + row*sr + col*sc > (n_batch - 1)*sb + "
     "(n_head - 1)*sh + (n_row - 1)*sr + (n_col - 1)*sc"},
    {"size rows cols group; stride sx; program p q; turn gp gq lp lq up uq; "
     "lane i k",
     "",
     "rows > 0; cols > 1; group > 0; sx >= cols; p >= 0; q > p; "
     "p == gp*group*cols + lp; lp >= 0; lp < group*cols; "
     "q == gq*group*cols + lq; lq >= 0; lq < group*cols; "
     "up*group <= lp; lp < up*group + group; "
     "uq*group <= lq; lq < uq*group + group; "
     "p < rows*cols; q < rows*cols; i >= 0; i < rows; k >= 0; k < rows; "
     "(gp*group + lp - up*group + i*rows)*sx + up == "
     "(gq*group + lq - uq*group + k*rows)*sx + uq"},
};

static z3_answer solve_endless(const char *const *text, uint64_t rlimit) {
  problem p = open_problem(text[0], text[1], text[2], false);
  z3_limits limits = {.rlimit = rlimit, .deadline_ms = 600000, .arith = 6};
  z3_answer answer =
      z3_solve(p.t, p.arena, p.facts.at, p.facts.count, limits, NULL, 0, NULL);
  arena_destroy(p.arena);
  return answer;
}

/* They stop at the limit, and each time at the same place. */
static void endless_questions_stop(void **state) {
  static const uint64_t limits[] = {100000, 400000};
  (void)state;
  for (size_t i = 0; i < sizeof ENDLESS / sizeof *ENDLESS; i++)
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
      z3_answer first = solve_endless(ENDLESS[i], limits[k]);
      z3_answer again = solve_endless(ENDLESS[i], limits[k]);
      assert_int_equal(first.satisfiable, UNSURE);
      assert_int_equal(first.trouble, TROUBLE_RESOURCE);
      assert_true(first.rlimit_used >= limits[k] / 10 * 9);
      assert_true(first.rlimit_used <= limits[k] / 10 * 11);
      assert_int_equal(again.satisfiable, UNSURE);
      assert_true(again.rlimit_used == first.rlimit_used);
    }
}

static void questions_have_text(void **state) {
  (void)state;
  problem p = open_problem("size n; lane i", "", "n > 0; 0 <= i < n", false);
  strbuf text = strbuf_make(p.arena);
  prover_smt2(p.prover, p.facts.at, p.facts.count, read(&p, "i*i < n*n"),
              &text);
  assert_non_null(strstr(text.text, "(assert"));
  assert_non_null(strstr(text.text, "(check-sat)"));
  assert_true(strncmp(prover_z3_version(p.arena), "5.4.1", 5) == 0);
  arena_destroy(p.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(obligations_are_decided),
      cmocka_unit_test(faulty_obligations_have_models),
      cmocka_unit_test(contexts_have_a_point),
      cmocka_unit_test(elements_are_found),
      cmocka_unit_test(delinearisation_matches),
      cmocka_unit_test(models_are_exact),
      cmocka_unit_test(applications_get_values),
      cmocka_unit_test(connectives_are_proved_in_parts),
      cmocka_unit_test(queries_repeat),
      cmocka_unit_test(answers_are_remembered),
      cmocka_unit_test(the_limit_is_a_limit),
      cmocka_unit_test(endless_questions_stop),
      cmocka_unit_test(questions_have_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
