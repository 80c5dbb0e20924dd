import { toHex } from '../../base/bytes.ts'
import { base58check } from '../base58check.ts'
import { invalidTransaction } from '../failures.ts'
import type { SeenFields } from '../transaction.ts'
import { type Message, readMessage, type Schema } from './protobuf.ts'

type TronContract = {
  /** The name in the protocol, and the type URL of its message after `type.googleapis.com/protocol.`. */
  readonly name: string
  /** Its facts for policies, except for `type` and `permission_id`. */
  see(value: Uint8Array): SeenFields
}

/** The supported contracts, by their number in `Transaction.Contract.ContractType`. */
export const tronContracts: ReadonlyMap<bigint, TronContract> = new Map([
  [
    1n,
    contract(
      'TransferContract',
      { owner_address: bytes(1), to_address: bytes(2), amount: int64(3) },
      (fields) => ({
        owner_address: address('owner_address', fields.owner_address),
        to_address: address('to_address', fields.to_address),
        amount: fields.amount,
      }),
    ),
  ],
  [
    31n,
    contract(
      'TriggerSmartContract',
      {
        owner_address: bytes(1),
        contract_address: bytes(2),
        call_value: int64(3),
        data: bytes(4),
        call_token_value: int64(5),
        token_id: int64(6),
      },
      (fields) => ({
        ...fields,
        owner_address: address('owner_address', fields.owner_address),
        contract_address: address('contract_address', fields.contract_address),
        data: toHex(fields.data),
      }),
    ),
  ],
  [
    46n,
    contract(
      'AccountPermissionUpdateContract',
      {
        owner_address: bytes(1),
        owner: { number: 2, kind: 'message', of: permission() },
        witness: { number: 3, kind: 'message', of: permission() },
        actives: { number: 4, kind: 'list', of: permission() },
      },
      (fields) => ({
        owner_address: address('owner_address', fields.owner_address),
        owner: fields.owner && seePermission('owner', fields.owner),
        witness: fields.witness && seePermission('witness', fields.witness),
        actives: fields.actives.map((active, index) => seePermission(`actives[${index}]`, active)),
      }),
    ),
  ],
  [
    54n,
    contract(
      'FreezeBalanceV2Contract',
      { owner_address: bytes(1), frozen_balance: int64(2), resource: stakedResource(3) },
      (fields) => ({ ...fields, owner_address: address('owner_address', fields.owner_address) }),
    ),
  ],
  [
    55n,
    contract(
      'UnfreezeBalanceV2Contract',
      { owner_address: bytes(1), unfreeze_balance: int64(2), resource: stakedResource(3) },
      (fields) => ({ ...fields, owner_address: address('owner_address', fields.owner_address) }),
    ),
  ],
  [
    57n,
    contract(
      'DelegateResourceContract',
      {
        owner_address: bytes(1),
        resource: delegatedResource(2),
        balance: int64(3),
        receiver_address: bytes(4),
        lock: { number: 5, kind: 'bool' },
        lock_period: int64(6),
      },
      (fields) => ({
        ...fields,
        owner_address: address('owner_address', fields.owner_address),
        receiver_address: address('receiver_address', fields.receiver_address),
      }),
    ),
  ],
  [
    58n,
    contract(
      'UnDelegateResourceContract',
      {
        owner_address: bytes(1),
        resource: delegatedResource(2),
        balance: int64(3),
        receiver_address: bytes(4),
      },
      (fields) => ({
        ...fields,
        owner_address: address('owner_address', fields.owner_address),
        receiver_address: address('receiver_address', fields.receiver_address),
      }),
    ),
  ],
])

function contract<S extends Schema>(
  name: string,
  schema: S,
  see: (fields: Message<S>) => SeenFields,
): TronContract {
  return { name, see: (value) => see(readMessage(name, schema, value)) }
}

function bytes(number: number) {
  return { number, kind: 'bytes' } as const
}

function int64(number: number) {
  return { number, kind: 'int64' } as const
}

function stakedResource(number: number) {
  return { number, kind: 'enum', names: ['BANDWIDTH', 'ENERGY', 'TRON_POWER'] } as const
}

/** Voting power cannot be delegated. */
function delegatedResource(number: number) {
  return { number, kind: 'enum', names: ['BANDWIDTH', 'ENERGY'] } as const
}

function permission() {
  return {
    type: { number: 1, kind: 'enum', names: ['Owner', 'Witness', 'Active'] },
    id: { number: 2, kind: 'int32' },
    permission_name: { number: 3, kind: 'text' },
    threshold: int64(4),
    parent_id: { number: 5, kind: 'int32' },
    operations: bytes(6),
    keys: { number: 7, kind: 'list', of: { address: bytes(1), weight: int64(2) } },
  } as const
}

function seePermission(
  where: string,
  { keys, operations, ...fields }: Message<ReturnType<typeof permission>>,
): SeenFields {
  return {
    ...fields,
    operations: toHex(operations),
    keys: keys.map((key, index) => ({
      address: address(`${where}.keys[${index}].address`, key.address),
      weight: key.weight,
    })),
  }
}

/** Base58check, as Tron shows addresses; all networks in use share one prefix. */
function address(where: string, account: Uint8Array): string {
  const [prefix, ...rest] = account
  if (prefix !== ADDRESS_PREFIX || rest.length !== 20) {
    throw invalidTransaction({ what: `${where} is not 21 bytes that begin with 41` })
  }
  return base58check(prefix, account.subarray(1))
}

const ADDRESS_PREFIX = 0x41
