/* The header of alpha. */
int alpha(int x);
