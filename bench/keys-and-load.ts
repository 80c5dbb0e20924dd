import { cpuSeconds } from './processes.ts'
import { type BenchService, sendLoad, type Signer } from './service.ts'

/** secp256k1 keys of the root user; answers their Ethereum addresses. */
export async function createKeys(service: BenchService, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const privateKeys = Array.from({ length: Math.min(100, count - ids.length) }, () => ({
      privateKeyName: `bench ${performance.now()} ${Math.random()}`,
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    }))
    const answer = await service.submit('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys,
    })
    // The result of this activity, as its declaration has it.
    const created = answer.activity.result['createPrivateKeysResultV2']?.['privateKeys'] as readonly {
      readonly addresses: readonly { readonly address: string }[]
    }[]
    ids.push(...created.map((key) => key.addresses[0]?.address ?? ''))
  }
  return ids
}

/** Raw signatures, and what each took of the CPU of all processes of the service. */
export async function load(
  service: BenchService,
  of: {
    readonly connections: number
    readonly requests: number
    readonly keys: readonly string[]
    readonly perSecond?: number
    readonly as?: Signer
  },
) {
  const { root, port, pid } = service
  let cpuBefore = 0
  const report = await sendLoad(
    {
      load: 'signatures',
      port,
      connections: of.connections,
      requests: of.requests,
      ...(of.perSecond === undefined ? {} : { perSecond: of.perSecond }),
      as: of.as ?? root,
      signWith: of.keys,
    },
    {
      before: () => {
        cpuBefore = cpuSeconds(pid)
      },
    },
  )
  if (report.failed > 0)
    throw new Error(`${report.failed} requests failed: ${report.firstFailure.slice(0, 500)}`)
  return { ...report, cpuUs: ((cpuSeconds(pid) - cpuBefore) / report.succeeded) * 1e6 }
}
