import assert from 'node:assert/strict'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { fromHex } from '../../../base/bytes.ts'

export const to = `41${'bb'.repeat(20)}`

/** One contract of each kind, with its facts except for type, owner and permission. */
export function contracts() {
  const receiver_address = base58check(to)
  const owner41 = owner()
  const permission = concat(
    int(1, 2),
    int(2, 2),
    text(3, 'active'),
    int(4, 2),
    int(5, 1),
    bin(6, '7fff'),
    bin(7, concat(bin(1, to), int(2, 1))),
    bin(7, concat(bin(1, `41${'aa'.repeat(20)}`), int(2, 5))),
  )
  const seenPermission = {
    type: 'Active',
    id: 2n,
    permission_name: 'active',
    threshold: 2n,
    parent_id: 1n,
    operations: '7fff',
    keys: [
      { address: receiver_address, weight: 1n },
      { address: base58check(`41${'aa'.repeat(20)}`), weight: 5n },
    ],
  }
  return [
    {
      name: 'TransferContract',
      number: 1,
      value: transferValue(),
      seen: { to_address: receiver_address, amount: 5n },
    },
    {
      name: 'TriggerSmartContract',
      number: 31,
      value: concat(owner41, bin(2, to), int(3, 6), bin(4, 'a9059cbb00'), int(5, 7), int(6, 8)),
      seen: {
        contract_address: receiver_address,
        call_value: 6n,
        data: 'a9059cbb00',
        call_token_value: 7n,
        token_id: 8n,
      },
    },
    {
      name: 'AccountPermissionUpdateContract',
      number: 46,
      value: concat(owner41, bin(2, permission), bin(4, permission), bin(4, permission)),
      seen: { owner: seenPermission, witness: undefined, actives: [seenPermission, seenPermission] },
    },
    {
      name: 'FreezeBalanceV2Contract',
      number: 54,
      value: concat(owner41, int(2, 9), int(3, 1)),
      seen: { frozen_balance: 9n, resource: 'ENERGY' },
    },
    {
      name: 'UnfreezeBalanceV2Contract',
      number: 55,
      value: concat(owner41, int(2, 9), int(3, 2)),
      seen: { unfreeze_balance: 9n, resource: 'TRON_POWER' },
    },
    {
      name: 'DelegateResourceContract',
      number: 57,
      value: concat(owner41, int(3, 10), bin(4, to), int(5, 1), int(6, 86_400)),
      seen: { resource: 'BANDWIDTH', balance: 10n, receiver_address, lock: true, lock_period: 86_400n },
    },
    {
      name: 'UnDelegateResourceContract',
      number: 58,
      value: concat(owner41, int(2, 1), int(3, 10), bin(4, to)),
      seen: { resource: 'ENERGY', balance: 10n, receiver_address },
    },
  ]
}

export function raw(contract: Uint8Array): Uint8Array {
  return concat(bin(1, 'ab12'), bin(11, contract))
}

export function transferContract(): Uint8Array {
  return concat(int(1, 1), any('TransferContract', transferValue()))
}

export function transferValue(): Uint8Array {
  return concat(owner(), bin(2, to), int(3, 5))
}

export function owner(): Uint8Array {
  return bin(1, `41${'aa'.repeat(20)}`)
}

export function any(name: string, value: Uint8Array): Uint8Array {
  return bin(2, concat(text(1, `type.googleapis.com/protocol.${name}`), bin(2, value)))
}

// A writer of protobuf that shares nothing with the one under test.

export function int(number: number, value: number | bigint): Uint8Array {
  return concat(varint(BigInt(number * 8)), varint(BigInt(value)))
}

export function text(number: number, value: string): Uint8Array {
  return bin(number, Buffer.from(value).toString('hex'))
}

export function bin(number: number, value: string | Uint8Array): Uint8Array {
  const content = typeof value === 'string' ? bytes(value) : value
  return concat(varint(BigInt(number * 8 + 2)), varint(BigInt(content.length)), content)
}

export function varint(value: bigint): Uint8Array {
  return value < 128n
    ? Uint8Array.of(Number(value))
    : concat(Uint8Array.of(Number(value % 128n) + 128), varint(value / 128n))
}

export function bytes(hex: string): Uint8Array {
  return present(fromHex(hex))
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

export function base58check(hex: string): string {
  return createBase58check(sha256).encode(bytes(hex))
}

export function present<T>(value: T | undefined): T {
  assert.ok(value !== undefined)
  return value
}
