/* The header of beta. */
int beta(int x);
