/** The remainder that is not negative. */
export function mod(value: bigint, modulus: bigint): bigint {
  const remainder = value % modulus
  return remainder < 0n ? remainder + modulus : remainder
}

export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * base) % modulus
  }
  return result
}

/** By Fermat: the modulus is a prime. */
export function inverse(value: bigint, prime: bigint): bigint {
  return power(mod(value, prime), prime - 2n, prime)
}

/** The sum of a point with itself, as often as the number says. */
export function times<P>(number: bigint, point: P, zero: P, add: (one: P, other: P) => P): P {
  let sum = zero
  for (const bit of number.toString(2)) {
    sum = add(sum, sum)
    if (bit === '1') sum = add(sum, point)
  }
  return sum
}
