import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { SECRET } from '../../../src/trusted/chains/ethereum/testing/transactions.ts'
import { chains } from '../../../src/trusted/chains/list.ts'
import { addressFormats, curvesOf } from '../../../src/trusted/chains/address-format.ts'
import { aService } from '../../../test/support/service.ts'
import { served } from './served.ts'
import { aKeyFile } from './setting.ts'

// What the example of each chain does, as the service reads it and a model is told.
const TOLD: Readonly<Record<string, RegExp>> = {
  Ethereum:
    /It sends 1000 wei \(0\.000000000000001 ether\) to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC on chain 1\. Its fees are at most \d+ wei /,
  Solana: /It sends 1000 lamports \(0\.000001 SOL\) to \w{32,44} \(solana\.tx\.transfers\)\./,
  Tron: /It sends 5 to T\w{33} \(tron\.tx\.contract\)\. The fees of its contracts are at most \d+ sun /,
  Bitcoin:
    /It sends 9000 satoshis \(0\.00009 BTC\) to bc1q\w+ \(bitcoin\.tx\.outputs\)\..* Its fee is \d+ satoshis /,
  Tempo:
    /It calls (0x5F\w+) on chain 42431\. It sends 1000 units of the token \1 to 0x3c44cd\w{34}\. Its fees, as gas times price, are at most \d+\./,
  Aptos: /It sends 1000 to 0xb{64} \(aptos\.tx\.transfers\)\. Its fees in octas are at most \d+\./,
}

const service = await aService()
const { root } = service
const agent = await service.user('Agent')
const { call, close } = await served(aKeyFile(service.baseUrl, agent), service.world)
after(async () => {
  await close()
  await service.close()
})

before(async () => {
  for (const curve of new Set(chains.map((chain) => chain.curve))) {
    const begun = await service.done(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId: root.userId })
    const encryptedBundle = await encryptPrivateKeyToBundle({
      privateKey: Buffer.from(SECRET).toString('hex'),
      importBundle: begun.importBundle,
      userId: root.userId,
      organizationId: root.organizationId,
      keyFormat: 'HEXADECIMAL',
      dangerouslyOverrideSignerPublicKey: JSON.parse(begun.importBundle).enclaveQuorumPublic,
    })
    await service.done(root, 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
      userId: root.userId,
      privateKeyName: curve,
      encryptedBundle,
      curve,
      addressFormats: addressFormats.filter((format) => curvesOf(format).includes(curve)),
    })
  }
})

for (const { name, example, transaction, payload } of chains)
  test(`a request for ${name} is told with its amount and destination`, async () => {
    const { signWith, unsigned } = example
    const request =
      transaction === undefined
        ? {
            kind: 'payload',
            signWith,
            payload: unsigned,
            encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
            hashFunction: payload?.hashFunction,
          }
        : { kind: 'transaction', chain: name.toLowerCase(), signWith, unsignedTransaction: unsigned }
    const { told, text } = await call('try_signing', { request })
    assert.match(told.says, TOLD[name] ?? /a sentence for a new chain stands above/, text)
    assert.equal(told.decoded.isIncomplete, false)
  })
