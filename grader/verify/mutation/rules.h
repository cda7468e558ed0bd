/*
 * The rules by which operators.def changes programs. Each looks at a whole source and proposes all
 * changes of its kind; what does not compile is found out by the compiler.
 */
#pragma once

#include "grader/verify/mutation/mutation.h"

/* Of single tokens and expressions (expressions.c). */
mutation_rule rule_token;       /* a token `from` becomes `to` */
mutation_rule rule_binary;      /* the same, where it is an operator between two operands */
mutation_rule rule_member;      /* the same, behind a dot */
mutation_rule rule_number;      /* a number by an operator `from` and a number `to` */
mutation_rule rule_limit;       /* the name or number behind a comparison */
mutation_rule rule_half;        /* each of the two operands of `from`, alone */
mutation_rule rule_choice;      /* the condition of c ? a : b, where it has `from` */
mutation_rule rule_subscript;   /* what stands in [ ], but for declarations */
mutation_rule rule_dimension;   /* what stands in [ ] of a __shared__ declaration */
mutation_rule rule_cast;        /* (type) */
mutation_rule rule_launch;      /* parameter number `from` of <<< >>> */
mutation_rule rule_argument;    /* argument "NUMBER CALL" of calls; NUMBER from 0 */
mutation_rule rule_arguments;   /* two neighbouring arguments, exchanged */
mutation_rule rule_call;        /* a call of `from`; $1 and $2 are its arguments */
mutation_rule rule_initialiser; /* `= from` of a declaration, left out */

/* Of statements (statements.c). In these a statement with a token like `from` is meant. */
mutation_rule rule_delete;      /* a plain statement becomes `to` */
mutation_rule rule_delete_if;   /* an if without else, with all in it; `from` is in its condition */
mutation_rule rule_delete_loop; /* a loop, with all in it */
mutation_rule rule_delete_else; /* else and what it leads to */
mutation_rule rule_exchange;    /* a statement and the next one, of which one has `from` */
mutation_rule rule_into_branch; /* a statement behind an if goes into it */
mutation_rule rule_out_of_loop; /* a statement in a loop goes behind it */
mutation_rule rule_branch;      /* the condition of if and while, where it has `from` */
mutation_rule rule_start;       /* what a for begins with */
mutation_rule rule_step;        /* what a for adds or multiplies by */
mutation_rule rule_assignment;  /* = of a statement that is no declaration */
mutation_rule rule_returned;    /* `return` of what has `from` */
