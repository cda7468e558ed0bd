/* Functions that nvcc builds from double arithmetic and one approximation to start from. */
#include "proof.cuh"

//: kernel=exp_f64 fill=f64 words=4
OPS(exp_f64, f64, put(exp(a)); put(exp2(a)))
//: kernel=log_f64 fill=f64 words=4
OPS(log_f64, f64, put(log(a)); put(log10(a)))
//: kernel=sin_f64 fill=f64 words=4
OPS(sin_f64, f64, put(sin(a)); put(cos(a)))
//: kernel=pow_f64 fill=f64 words=4
OPS(pow_f64, f64, put(pow(a, b)); put(atan2(a, b)))
//: kernel=root_f64 fill=f64 words=6
OPS(root_f64, f64, put(cbrt(a)); put(hypot(a, b)); put(fmod(a, b)))
//: kernel=rsqrt_f64 fill=f64 words=2
OPS(rsqrt_f64, f64, put(rsqrt(a)))
