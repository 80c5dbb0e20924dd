import type { AuthenticationMethod } from '../../charter/charter.ts'

/** A proof of identity: its method in the terms of policies, and the ids by which a policy may name the credential. */
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
