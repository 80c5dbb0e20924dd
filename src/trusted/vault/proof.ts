import type { AuthenticationMethod } from '../charter/charter.ts'

/** How someone has shown who they are: the ways that a policy may ask for, and the ids by which it may name this one. */
export type Proof = { readonly type: AuthenticationMethod['type']; readonly id: string }

export function proves(proof: Proof, method: AuthenticationMethod): boolean {
  return proof.type === method.type && (method.id === undefined || method.id === proof.id)
}

export function isSameProof(proof: Proof, other: Proof): boolean {
  return proof.type === other.type && proof.id === other.id
}

export function distinctProofs(proofs: readonly Proof[]): readonly Proof[] {
  return proofs.filter((proof, index) => proofs.findIndex((item) => isSameProof(item, proof)) === index)
}
