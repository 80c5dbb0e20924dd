import { present } from '../../src/trusted/base/assert.ts'
import { aService, type JsonAnswer, type Member, type TestService } from '../support/service.ts'

/**
 * The organization of the table, and what it has: a root user R; A and B, who carry the tag `ops`; C, who carries
 * `sec`; D without a tag; a wallet with an account of each chain; and a private key with the tag `hot`.
 */
export type Organization = {
  readonly service: TestService
  readonly R: Member
  readonly A: Member
  readonly B: Member
  readonly C: Member
  readonly D: Member
  readonly ops: string
  readonly walletId: string
  /** In EIP-55, as all addresses of Ethereum are stored. */
  readonly E1: string
  readonly S1: string
  /** P2WPKH on mainnet. */
  readonly bitcoin: string
  readonly tron: string
  readonly K1: string
  /** The id of the tag. */
  readonly hot: string
}

export async function anOrganization(): Promise<Organization> {
  const service = await aService()
  const { root: R } = service
  const [ops, sec] = [await userTag(service, 'ops'), await userTag(service, 'sec')]
  const hot = await keyTag(service, 'hot')
  const { walletId, addresses } = await aWallet(service)
  const [E1 = '', S1 = '', bitcoin = '', tron = ''] = addresses
  return {
    service,
    R,
    A: await service.user('A', { userTags: [ops] }),
    B: await service.user('B', { userTags: [ops] }),
    C: await service.user('C', { userTags: [sec] }),
    D: await service.user('D'),
    ops,
    walletId,
    E1,
    S1,
    bitcoin,
    tron,
    K1: await privateKey(service, hot),
    hot,
  }
}

/** Puts interfaces of contracts into the organization of the member. */
export async function upload(o: Organization, by: Member, contract: Contract): Promise<void> {
  await o.service.done(by, 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
    smartContractAddress: contract.address,
    smartContractInterface: JSON.stringify(contract.interface),
    type: `SMART_CONTRACT_INTERFACE_TYPE_${contract.chain}`,
    label: contract.address,
  })
}

export type Contract = {
  readonly chain: 'ETHEREUM' | 'SOLANA'
  readonly address: string
  readonly interface: unknown
}

/** A P-256 key as exports are encrypted to it, that nobody has to open here. */
export const TARGET_PUBLIC_KEY =
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'

async function userTag({ done, root }: TestService, userTagName: string): Promise<string> {
  return (await done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] })).userTagId
}

async function keyTag({ done, root }: TestService, privateKeyTagName: string): Promise<string> {
  const parameters = { privateKeyTagName, privateKeyIds: [] }
  return (await done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', parameters)).privateKeyTagId
}

async function privateKey({ done, root }: TestService, tagId: string): Promise<string> {
  const key = { privateKeyName: 'K1', curve: 'CURVE_SECP256K1', addressFormats: [], privateKeyTags: [tagId] }
  const { privateKeys } = await done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys: [key] })
  return present(privateKeys[0], 'the new key').privateKeyId
}

async function aWallet({ done, root }: TestService): Promise<JsonAnswer> {
  return await done(root, 'ACTIVITY_TYPE_CREATE_WALLET', walletOf('W1'))
}

export function walletOf(walletName: string) {
  return {
    walletName,
    accounts: [
      account('CURVE_SECP256K1', "m/44'/60'/0'/0/0", 'ADDRESS_FORMAT_ETHEREUM'),
      account('CURVE_ED25519', "m/44'/501'/0'/0'", 'ADDRESS_FORMAT_SOLANA'),
      account('CURVE_SECP256K1', "m/84'/0'/0'/0/0", 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH'),
      account('CURVE_SECP256K1', "m/44'/195'/0'/0/0", 'ADDRESS_FORMAT_TRON'),
    ],
  }
}

function account(curve: string, path: string, addressFormat: string) {
  return { curve, pathFormat: 'PATH_FORMAT_BIP32', path, addressFormat }
}
