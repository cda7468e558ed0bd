/*
 * Extended-precision integer arithmetic, PTX ISA section 9.7.2. The condition code is one hidden
 * predicate (d2): the carry of an addition, the borrow of a subtraction.
 */
#include "common/simt/isa/ops/lanes.h"

__extension__ typedef unsigned __int128 wide_64;
typedef uint64_t wide_32;
__extension__ typedef __int128 swide_64;
typedef int64_t swide_32;

/* One operation: `total` has the result in its low bits and the carry in the bit above them. */
#define CARRY(name, bits, takes, makes, sources, total)                                            \
    static void name##_b##bits(struct simt_exec *x, const struct simt_insn *insn) {                \
        cell_##bits *const row_d = LANES_ROW(b##bits, insn->d);                                    \
        const uint32_t before = takes ? x->preds[insn->d2] : 0;                                    \
        uint32_t after = 0;                                                                        \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            const wide_##bits in = before >> i & 1;                                                \
            sources(bits) const wide_##bits sum = (total);                                         \
            (void)in;                                                                              \
            after |= (uint32_t)(sum >> bits & 1) << i;                                             \
            row_d[i] = x->mask >> i & 1 ? (cell_##bits)sum : row_d[i];                             \
        }                                                                                          \
        if (makes)                                                                                 \
            lanes_set_pred(x, insn->d2, after);                                                    \
    }
#define SOURCE(bits, slot) const wide_##bits slot = LANES_ROW(b##bits, insn->slot)[i];
#define TWO(bits)          SOURCE(bits, a) SOURCE(bits, b)
#define THREE(bits)        SOURCE(bits, a) SOURCE(bits, b) SOURCE(bits, c)

/* The halves of the product of a and b. */
#define LOW(bits)  ((wide_##bits)(uint##bits##_t)(a * b))
#define HIGH(bits) (a * b >> bits)
#define HIGH_S(bits)                                                                               \
    ((wide_##bits)(uint##bits##_t)(((swide_##bits)(int##bits##_t)a * (int##bits##_t)b) >> bits))

/* clang-format off */
#define OPERATIONS(X, bits)                                                                        \
    X(add_cc, bits, false, true, TWO, a + b)                                                       \
    X(addc, bits, true, false, TWO, a + b + in)                                                    \
    X(addc_cc, bits, true, true, TWO, a + b + in)                                                  \
    X(sub_cc, bits, false, true, TWO, a - b)                                                       \
    X(subc, bits, true, false, TWO, a - b - in)                                                    \
    X(subc_cc, bits, true, true, TWO, a - b - in)                                                  \
    X(mad_lo_cc, bits, false, true, THREE, LOW(bits) + c)                                          \
    X(madc_lo, bits, true, false, THREE, LOW(bits) + c + in)                                       \
    X(madc_lo_cc, bits, true, true, THREE, LOW(bits) + c + in)                                     \
    X(mad_hi_cc_u, bits, false, true, THREE, HIGH(bits) + c)                                       \
    X(madc_hi_u, bits, true, false, THREE, HIGH(bits) + c + in)                                    \
    X(madc_hi_cc_u, bits, true, true, THREE, HIGH(bits) + c + in)                                  \
    X(mad_hi_cc_s, bits, false, true, THREE, HIGH_S(bits) + c)                                     \
    X(madc_hi_s, bits, true, false, THREE, HIGH_S(bits) + c + in)                                  \
    X(madc_hi_cc_s, bits, true, true, THREE, HIGH_S(bits) + c + in)

OPERATIONS(CARRY, 32)
OPERATIONS(CARRY, 64)

#define ROW2(name, t) {#name "_" #t, #t "," #t "," #t ",carry", name##_##t, name##_##t},
#define ROW3(name, t) {#name "_" #t, #t "," #t "," #t "," #t ",carry", name##_##t, name##_##t},
#define ROW_HIGH(name, sign, bits)                                                                 \
    {#name "_" #sign #bits, "b" #bits ",b" #bits ",b" #bits ",b" #bits ",carry",                   \
     name##_##sign##_b##bits, name##_##sign##_b##bits},
#define ROWS(t, bits)                                                                              \
    ROW2(add_cc, t) ROW2(addc, t) ROW2(addc_cc, t)                                                 \
    ROW2(sub_cc, t) ROW2(subc, t) ROW2(subc_cc, t)                                                 \
    ROW3(mad_lo_cc, t) ROW3(madc_lo, t) ROW3(madc_lo_cc, t)                                        \
    ROW_HIGH(mad_hi_cc, u, bits) ROW_HIGH(madc_hi, u, bits) ROW_HIGH(madc_hi_cc, u, bits)          \
    ROW_HIGH(mad_hi_cc, s, bits) ROW_HIGH(madc_hi, s, bits) ROW_HIGH(madc_hi_cc, s, bits)
/* clang-format on */

static const struct exec_variant rows[] = {ROWS(b32, 32) ROWS(b64, 64)};
EXEC_EXPORT(carry, rows)
