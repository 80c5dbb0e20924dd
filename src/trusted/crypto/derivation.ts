import { assert, present } from '../base/assert.ts'
import { asBuffer, concat, utf8 } from '../base/bytes.ts'
import { costs } from '../base/costs.ts'
import { finished, type Steps } from '../base/work.ts'
import type { Curve } from './curve.ts'
import type { HdPath } from './hd-path.ts'
import { hmacSha512 } from './hmac.ts'
import { p256MultipleOfG } from './p256-multiple.ts'
import { isScalar, P256_ORDER, SECP256K1_ORDER } from './scalar.ts'
import { addScalars } from './scalar-sum.ts'
import { nativeBackend, nobleBackend } from './secp256k1-backend.ts'

/** A key in the tree of one seed on one curve. */
export type HdKey = { readonly curve: Curve; readonly path: HdPath }

/**
 * The private key at the end of a path: BIP-32 on secp256k1, SLIP-10 on Ed25519 and P-256. On Ed25519 every level is
 * hardened, because SLIP-10 defines no other there: both spellings of a level lead to the same key.
 *
 * @param seed  16 to 64 bytes; the caller wipes them
 * @returns     32 bytes, a scalar or the seed of an Ed25519 key; the caller wipes them
 */
export function deriveKey(seed: Uint8Array, curve: Curve, path: HdPath): Uint8Array {
  return present(deriveKeys(seed, [{ curve, path }])[0], 'a key for each that was asked for')
}

/**
 * As `deriveKey`, for several keys, in their order. Common parts of their paths are derived once. The intermediate keys
 * are wiped here; copies made by the runtime are not.
 */
export function deriveKeys(seed: Uint8Array, wanted: readonly HdKey[]): Uint8Array[] {
  return finished(derivationSteps(seed, wanted))
}

/** As `deriveKeys`, with one step for each key. When the steps end early, the derived keys are wiped. */
export function* derivationSteps(seed: Uint8Array, wanted: readonly HdKey[]): Steps<Uint8Array[]> {
  assert(seed.length >= 16 && seed.length <= 64, 'a seed has 16 to 64 bytes')
  const roots = new Map<Curve, Node>()
  const keys: Uint8Array[] = []
  try {
    for (const { curve, path } of wanted) {
      yield path.indexes.length * costs.derivationLevel
      const root = roots.get(curve) ?? rootOf(seed, TREES[curve])
      roots.set(curve, root)
      keys.push(Uint8Array.from(descend(root, TREES[curve], path).key))
    }
    return keys
  } finally {
    for (const root of roots.values()) wipe(root)
    if (keys.length < wanted.length) for (const key of keys) key.fill(0)
  }
}

/** The differences between the curves. Without an order every 32 bytes are a key, and every level is hardened. */
type Tree = {
  /** SLIP-10, "Master key generation". */
  readonly name: string
  readonly curve?: {
    readonly order: Uint8Array
    /** 33 bytes. */
    readonly publicKeyOf: (secret: Uint8Array) => Uint8Array
  }
}

const TREES: Readonly<Record<Curve, Tree>> = {
  CURVE_SECP256K1: {
    name: 'Bitcoin seed',
    curve: {
      order: SECP256K1_ORDER,
      publicKeyOf: (secret) => (nativeBackend ?? nobleBackend).publicKeyOf(secret, true),
    },
  },
  CURVE_ED25519: { name: 'ed25519 seed' },
  CURVE_P256: {
    name: 'Nist256p1 seed',
    curve: {
      order: P256_ORDER,
      publicKeyOf: (secret) => p256MultipleOfG(secret),
    },
  },
}

type Node = {
  readonly key: Uint8Array
  /** 32 bytes. */
  readonly chain: Uint8Array
  /** By index, with the top bit set for a hardened child. */
  readonly children: Map<number, Node>
  publicKey?: Uint8Array
}

/** SLIP-10, "Master key generation"; on secp256k1 the same as BIP-32. */
function rootOf(seed: Uint8Array, tree: Tree): Node {
  const name = utf8(tree.name)
  let halves = hmacSha512(name, seed)
  while (tree.curve !== undefined && !isScalar(left(halves), tree.curve.order)) {
    halves = replaced(halves, hmacSha512(name, halves))
  }
  return nodeOf(Uint8Array.from(left(halves)), halves)
}

function descend(root: Node, tree: Tree, path: HdPath): Node {
  return path.indexes.reduce((parent, index, level) => {
    const isHardened = tree.curve === undefined || path.hardened[level] === true
    const number = isHardened ? index + HARDENED : index
    const child = parent.children.get(number) ?? childOf(parent, tree, number)
    parent.children.set(number, child)
    return child
  }, root)
}

// BIP-32, "Extended keys": hardened children have the numbers from 2^31.
const HARDENED = 2 ** 31

/**
 * SLIP-10, "Private parent key to private child key". Where the bytes are not a valid key (one in 2^32 on P-256, one in
 * 2^127 on secp256k1) it continues as SLIP-10 says. BIP-32 says to take the next index instead, a case that has never
 * been seen.
 */
function childOf(parent: Node, tree: Tree, number: number): Node {
  let halves = hmacOnce(parent.chain, childData(parent, tree, number))
  if (tree.curve === undefined) return nodeOf(Uint8Array.from(left(halves)), halves)
  const { order } = tree.curve
  for (;;) {
    if (isBelow(left(halves), order)) {
      const key = addScalars(left(halves), parent.key, order)
      if (isScalar(key, order)) return nodeOf(key, halves)
    }
    const again = concat(Uint8Array.of(1), right(halves), numberBytes(number))
    halves = replaced(halves, hmacOnce(parent.chain, again))
  }
}

/** 37 bytes: 00 ‖ key ‖ number for a hardened child, public key ‖ number for any other. */
function childData(parent: Node, tree: Tree, number: number): Uint8Array {
  if (tree.curve === undefined || number >= HARDENED) {
    return concat(Uint8Array.of(0), parent.key, numberBytes(number))
  }
  parent.publicKey ??= tree.curve.publicKeyOf(parent.key)
  return concat(parent.publicKey, numberBytes(number))
}

function numberBytes(number: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}

/** Takes ownership of both: it keeps the key, and wipes the 64 bytes whose right half is the chain code. */
function nodeOf(key: Uint8Array, halves: Uint8Array): Node {
  const chain = Uint8Array.from(right(halves))
  halves.fill(0)
  return { key, chain, children: new Map() }
}

function left(halves: Uint8Array): Uint8Array {
  return halves.subarray(0, 32)
}

function right(halves: Uint8Array): Uint8Array {
  return halves.subarray(32)
}

/** The left half may be zero, which leaves the parent's key: only the sum has to be a key. */
function isBelow(bytes: Uint8Array, order: Uint8Array): boolean {
  return asBuffer(bytes).compare(order) < 0
}

function replaced(old: Uint8Array, by: Uint8Array): Uint8Array {
  old.fill(0)
  return by
}

/** The HMAC of data that is wiped afterwards. */
function hmacOnce(key: Uint8Array, data: Uint8Array): Uint8Array {
  const halves = hmacSha512(key, data)
  data.fill(0)
  return halves
}

function wipe(node: Node): void {
  node.key.fill(0)
  node.chain.fill(0)
  for (const child of node.children.values()) wipe(child)
}
