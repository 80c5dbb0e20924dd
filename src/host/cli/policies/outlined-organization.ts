import {
  CONTRACT_INTERFACE_TYPES,
  contractInterfaceSteps,
  contractInterfaces,
} from '../../../trusted/objects/contract-interface.ts'
import { privateKeys } from '../../../trusted/objects/private-key.ts'
import { secrets } from '../../../trusted/objects/secret.ts'
import { walletAccounts } from '../../../trusted/objects/wallet-account.ts'
import { wallets } from '../../../trusted/objects/wallet.ts'
import { Secret } from '../../../trusted/base/secret.ts'
import { finished } from '../../../trusted/base/work.ts'
import type { ObjectKind, Opened } from '../../../trusted/catalogue/objects.ts'
import {
  boolean,
  invalidField,
  list,
  object,
  oneOf,
  optional,
  text,
  type TypeOf,
} from '../../../trusted/catalogue/shape.ts'
import { addressFormats, addressOf } from '../../../trusted/chains/address-format.ts'
import { CURVES } from '../../../trusted/crypto/curve.ts'

const id = text({ min: 1, max: 255 })
const ids = optional(list(id, { max: 1_000 }))
const flag = optional(boolean)
const publicKey = text({ min: 64, max: 66 })

/** The parts of an organization that its policies can see. Ids are those in the requests and policies of the file. */
export const organizationShape = object({
  users: list(
    object({
      userId: id,
      userName: optional(id),
      userEmail: optional(id),
      userTags: ids,
      credentials: optional(
        list(object({ credentialId: optional(id), type: id, publicKey: optional(id) }), { max: 100 }),
      ),
    }),
    { max: 1_000 },
  ),
  tags: optional(list(object({ tagId: id, tagName: id }), { max: 1_000 })),
  features: ids,
  privateKeys: optional(
    list(
      object({
        privateKeyId: id,
        privateKeyName: optional(id),
        curve: oneOf(CURVES),
        publicKey,
        addressFormats: optional(list(oneOf(addressFormats), { max: 100 })),
        privateKeyTags: ids,
        imported: flag,
        exported: flag,
      }),
      { max: 1_000 },
    ),
  ),
  wallets: optional(
    list(
      object({
        walletId: id,
        walletName: optional(id),
        imported: flag,
        exported: flag,
        accounts: optional(
          list(
            object({
              curve: oneOf(CURVES),
              publicKey,
              addressFormat: oneOf(addressFormats),
              path: optional(id),
              address: optional(id),
              exported: flag,
            }),
            { max: 1_000 },
          ),
        ),
      }),
      { max: 1_000 },
    ),
  ),
  smartContractInterfaces: optional(
    list(
      object({
        smartContractAddress: id,
        type: oneOf(CONTRACT_INTERFACE_TYPES),
        smartContractInterface: text({ min: 1, max: 400_000 }),
      }),
      { max: 100 },
    ),
  ),
  secrets: optional(
    list(
      object({
        secretId: id,
        staticProperties: list(object({ key: id, value: text({ max: 255 }) }), { max: 100 }),
      }),
      { max: 1_000 },
    ),
  ),
})

export type OutlinedOrganization = TypeOf<typeof organizationShape>

/** The objects of an outlined organization, in the form that the vault would open. They contain no secret. */
export function objectsOf(outline: OutlinedOrganization, at: string): readonly Opened<unknown>[] {
  return [
    ...(outline.privateKeys ?? []).map((key) => {
      const { privateKeyId, curve, publicKey: hex, addressFormats: formats = [] } = key
      return opened(privateKeys, privateKeyId, {
        ...flagsOf(key),
        privateKeyId,
        privateKeyName: key.privateKeyName ?? privateKeyId,
        curve,
        publicKey: hex,
        addresses: formats.map((format) => ({ format, address: addressOf(format, curve, hex) })),
        privateKeyTags: tagIds(outline, key.privateKeyTags),
      })
    }),
    ...(outline.wallets ?? []).flatMap((wallet) => walletObjects(wallet, at)),
    ...(outline.smartContractInterfaces ?? []).map((smartContractInterface) => {
      finished(contractInterfaceSteps(smartContractInterface))
      const { smartContractAddress: address } = smartContractInterface
      const named = { smartContractInterfaceId: address, label: address, notes: '' }
      return opened(contractInterfaces, address, {
        ...smartContractInterface,
        ...named,
        createdAt: 0,
        updatedAt: 0,
      })
    }),
    ...(outline.secrets ?? []).map((secret) => opened(secrets, secret.secretId, { ...secret, createdAt: 0 })),
  ]
}

/** Tags may be given by their names. */
export function tagIds(
  { tags = [] }: OutlinedOrganization,
  called: readonly string[] = [],
): readonly string[] {
  return called.map((name) => tags.find(({ tagName }) => tagName === name)?.tagId ?? name)
}

type OutlinedWallet = NonNullable<OutlinedOrganization['wallets']>[number]

function walletObjects(wallet: OutlinedWallet, at: string): readonly Opened<unknown>[] {
  const { walletId, walletName = walletId, accounts = [] } = wallet
  const unseen = { mnemonicLength: 12, seedKey: walletId }
  return [
    opened(wallets, walletId, { ...flagsOf(wallet), ...unseen, walletId, walletName }),
    ...accounts.map((account) => {
      const { curve, publicKey: hex, addressFormat, path = 'm' } = account
      const address = addressOf(addressFormat, curve, hex)
      if (account.address !== undefined && account.address !== address) {
        const problem = `says ${account.address}, and the address of that public key is ${address}`
        throw invalidField({ field: `${at}.wallets`, problem })
      }
      const whose = { walletAccountId: `${walletId} ${address}`, walletId }
      const where = { curve, pathFormat: 'PATH_FORMAT_BIP32' as const, path, addressFormat, address }
      const body = { ...flagsOf(account), ...whose, ...where, publicKey: hex }
      return opened(walletAccounts, whose.walletAccountId, body)
    }),
  ]
}

function flagsOf({
  imported = false,
  exported = false,
}: {
  readonly imported?: boolean
  readonly exported?: boolean
}) {
  return { imported, exported, createdAt: 0, updatedAt: 0 }
}

function opened<B>(kind: ObjectKind<B>, objectId: string, body: B): Opened<unknown> {
  // A request for a kind returns only objects of that kind.
  return {
    objectId,
    kind: kind as ObjectKind<unknown>,
    body,
    seal: '',
    secret: new Secret(new Uint8Array(32)),
  }
}
