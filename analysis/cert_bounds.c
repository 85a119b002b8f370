/* analysis/cert_bounds.c: intervals of atoms, monomials and polynomials.
 *
 * Finite ends stay within +-2^62 for atoms and +-2^110 for terms; anything
 * beyond is rounded outwards to infinity (or, on the inner side, to the
 * limit), so every interval contains all values that the facts allow. */
#include "analysis/certificate.h"

#define ATOM_LIMIT (((int128)1) << 62)
#define TERM_LIMIT (((int128)1) << 110)

enum { ROUNDS = 8 };

range range_all(void) {
  return (range){.lo = -RANGE_INF, .hi = RANGE_INF};
}

static int128 clamp_lo(int128 v, int128 limit) {
  return v < -limit ? -RANGE_INF : v > limit ? limit : v;
}

static int128 clamp_hi(int128 v, int128 limit) {
  return v > limit ? RANGE_INF : v < -limit ? -limit : v;
}

static bool infinite(int128 v) {
  return v == RANGE_INF || v == -RANGE_INF;
}

/* Finite factors are at most 2^62 and 2^63 in size. */
static int128 times(int128 a, int128 b) {
  if (a == 0 || b == 0)
    return 0;
  if (infinite(a) || infinite(b))
    return (a < 0) == (b < 0) ? RANGE_INF : -RANGE_INF;
  return a * b;
}

static range product(range a, range b) {
  int128 ends[4] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo),
                    times(a.hi, b.hi)};
  range r = {.lo = ends[0], .hi = ends[0]};
  for (int i = 1; i < 4; i++) {
    r.lo = ends[i] < r.lo ? ends[i] : r.lo;
    r.hi = ends[i] > r.hi ? ends[i] : r.hi;
  }
  r.lo = infinite(r.lo) ? r.lo : clamp_lo(r.lo, ATOM_LIMIT);
  r.hi = infinite(r.hi) ? r.hi : clamp_hi(r.hi, ATOM_LIMIT);
  return r;
}

/* Sound: a square is not negative. */
static range square(range a) {
  range r = product(a, a);
  if (r.lo < 0)
    r.lo = 0;
  return r;
}

static range compute_range(const cert *self, monomial m) {
  range r = {.lo = 1, .hi = 1};
  for (; m; m <<= 8) {
    uint8_t rank = (uint8_t)(m >> 56);
    bool twice = (uint8_t)(m >> 48) == rank;
    r = product(r, twice ? square(self->ranges[rank]) : self->ranges[rank]);
    if (twice)
      m <<= 8;
  }
  return r;
}

range monomial_range(const cert *self, monomial m) {
  if ((m << 8) == 0)
    return m ? self->ranges[(uint8_t)(m >> 56)] : (range){.lo = 1, .hi = 1};
  range_cache *c = self->cache;
  size_t at = (size_t)((m * UINT64_C(0x9E3779B97F4A7C15)) >> 56);
  if (c->at[at].m != m || c->at[at].version != c->version) {
    c->at[at].value = compute_range(self, m);
    c->at[at].m = m;
    c->at[at].version = c->version;
  }
  return c->at[at].value;
}

static range term_range(const cert *self, cterm term) {
  range m = monomial_range(self, term.m);
  range r = {.lo = times(m.lo, term.c), .hi = times(m.hi, term.c)};
  if (term.c < 0)
    r = (range){.lo = r.hi, .hi = r.lo};
  r.lo = infinite(r.lo) ? r.lo : clamp_lo(r.lo, TERM_LIMIT);
  r.hi = infinite(r.hi) ? r.hi : clamp_hi(r.hi, TERM_LIMIT);
  return r;
}

int128 term_least(const cert *self, cterm term) {
  return term_range(self, term).lo;
}

range cpoly_range(const cert *self, cpoly p) {
  range sum = {.lo = 0, .hi = 0};
  assert(p.n <= CERT_TERMS); /* so finite sums stay below RANGE_INF */
  for (uint32_t i = 0; i < p.n; i++) {
    range term = term_range(self, p.at[i]);
    sum.lo =
        infinite(sum.lo) || infinite(term.lo) ? -RANGE_INF : sum.lo + term.lo;
    sum.hi =
        infinite(sum.hi) || infinite(term.hi) ? RANGE_INF : sum.hi + term.hi;
  }
  return sum;
}

/* Takes as much of the negative term as `from` can pay for.
 * Sound: for x >= 0 and y >= low >= 1, b*x*y - a*x >= (b - k)*x*y
 * - (a - k*low)*x for 0 <= k <= b. */
static void absorb_into(const cert *self, cterm *from, cterm *negative) {
  monomial y = monomial_divide(from->m, negative->m);
  if (from->c <= 0 || y == NO_MONOMIAL || y == 0 ||
      monomial_range(self, negative->m).lo < 0)
    return;
  int128 low = monomial_range(self, y).lo, need = -(int128)negative->c;
  if (low < 1)
    return;
  int128 used = (need + low - 1) / low;
  if (used > from->c)
    used = from->c;
  from->c -= (int64_t)used;
  negative->c = used * low >= need ? 0 : (int64_t)(-need + used * low);
}

cpoly cpoly_absorbed(const cert *self, cpoly p, cterm *room) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p.n; i++)
    room[i] = p.at[i];
  for (uint32_t i = 0; i < p.n; i++)
    for (uint32_t k = 0; k < p.n && room[i].c < 0 && room[i].m; k++)
      absorb_into(self, &room[k], &room[i]);
  for (uint32_t i = 0; i < p.n; i++)
    if (room[i].c)
      room[n++] = room[i];
  return (cpoly){.at = room, .n = n};
}

bool cpoly_bounds_ge(cert *self, cpoly p) {
  cterm room[CERT_TERMS];
  return self->contradiction || cpoly_range(self, p).lo >= 0 ||
         cpoly_range(self, cpoly_absorbed(self, p, room)).lo >= 0;
}

static int128 floor_div128(int128 a, int128 b) {
  int128 q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

static int128 ceil_div128(int128 a, int128 b) {
  return -floor_div128(-a, b);
}

static void raise(cert *self, uint8_t rank, int128 lo) {
  range *r = &self->ranges[rank];
  lo = clamp_lo(lo, ATOM_LIMIT);
  if (lo <= r->lo)
    return;
  r->lo = lo;
  self->cache->version++;
  self->bounds_changed = true;
  self->contradiction = self->contradiction || r->lo > r->hi;
}

static void lower(cert *self, uint8_t rank, int128 hi) {
  range *r = &self->ranges[rank];
  hi = clamp_hi(hi, ATOM_LIMIT);
  if (hi >= r->hi)
    return;
  r->hi = hi;
  self->cache->version++;
  self->bounds_changed = true;
  self->contradiction = self->contradiction || r->lo > r->hi;
}

/* x * others >= least. Sound: with others >= 0 and least >= 1, x <= 0 would
 * make the product <= 0; and then x >= least / others >= least / max. With
 * others >= 1 and least <= 0, a negative x has x >= least / others, which is
 * at least least / min. */
static void factor_at_least(cert *self, uint8_t x, range others, int128 least) {
  if (least >= 1 && others.lo >= 0) {
    int128 most = others.hi;
    raise(self, x, infinite(most) || most < 1 ? 1 : ceil_div128(least, most));
  } else if (least <= 0 && others.lo >= 1) {
    raise(self, x, ceil_div128(least, others.lo));
  }
}

/* x * others <= most. Sound: with others >= 1, x > most / others would exceed
 * it; for most >= 0 the weakest bound is at the least `others`, for most < 0
 * x is negative and at most most / max. */
static void factor_at_most(cert *self, uint8_t x, range others, int128 most) {
  if (others.lo < 1 || others.hi < 1)
    return; /* the second: contradicting facts */
  if (most >= 0)
    lower(self, x, floor_div128(most, others.lo));
  else
    lower(self, x, infinite(others.hi) ? -1 : floor_div128(most, others.hi));
}

/* The monomial is at least / at most the limit; infinite says nothing. */
static void monomial_between(cert *self, monomial m, int128 least,
                             int128 most) {
  uint8_t previous = 0;
  for (monomial left = m; left; left <<= 8) {
    uint8_t x = (uint8_t)(left >> 56);
    if (x == previous)
      continue;
    previous = x;
    range others = monomial_range(self, monomial_divide(m, monomial_of(x)));
    if (!infinite(least))
      factor_at_least(self, x, others, least);
    if (!infinite(most))
      factor_at_most(self, x, others, most);
  }
}

/* From p >= 0: each term is at least minus what the others are at most. */
static void tighten_from(cert *self, cpoly p) {
  int128 sum = 0;
  uint32_t unbounded = 0;
  int128 most[CERT_TERMS];
  assert(p.n <= CERT_TERMS);
  for (uint32_t i = 0; i < p.n; i++) {
    most[i] = term_range(self, p.at[i]).hi;
    if (infinite(most[i]))
      unbounded++;
    else
      sum += most[i];
  }
  if (unbounded == 0 && sum < 0)
    self->contradiction = true;
  if (unbounded > 1)
    return;
  for (uint32_t i = 0; i < p.n && p.at[i].m; i++) {
    if (unbounded == 1 && !infinite(most[i]))
      continue;
    int128 least = -(infinite(most[i]) ? sum : sum - most[i]);
    int64_t c = p.at[i].c;
    if (c > 0)
      monomial_between(self, p.at[i].m, ceil_div128(least, c), RANGE_INF);
    else
      monomial_between(self, p.at[i].m, -RANGE_INF, floor_div128(least, c));
  }
}

void cert_propagate(cert *self) {
  self->bounds_changed = true;
  for (int round = 0; round < ROUNDS && self->bounds_changed; round++) {
    self->bounds_changed = false;
    for (size_t i = 0; i < self->ge.count; i++)
      tighten_from(self, self->ge.at[i]);
    for (size_t i = 0; i < self->eq.count; i++) {
      cpoly p = self->eq.at[i], negated;
      tighten_from(self, p);
      if (cpoly_combine(self->scratch, p, -1, (cpoly){0}, 0, 0, &negated))
        tighten_from(self, negated);
    }
  }
}
