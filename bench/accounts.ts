// Signing with the accounts of a wallet, when it has one and when it has very many:
//   node bench/accounts.ts [how many, 100000 unless told]
import { ACCOUNTS_AT_ONCE_MAX } from '../src/trusted/activities/wallets/new-accounts.ts'
import { median } from './median.ts'
import { cpuSeconds, residentMegabytes } from './processes.ts'
import { type BenchService, sendLoad, startBenchService } from './service.ts'

const total = Number(process.argv[2] ?? 100_000)
const ROUNDS = 5
const REQUESTS = 10_000
const CONNECTIONS = 64
/** So many of the accounts are at hand all the time. */
const FEW = 64

const service = await startBenchService({})
try {
  const item = await aWallet(service, 'One')
  const many = await aWallet(service, 'Many')
  await load(service, item.addresses)
  const alone = await load(service, item.addresses)
  say(
    `1 account, alone in the store: ${alone.cpuUs.toFixed(0)} us CPU per activity, ${alone.perSecond.toFixed(0)}/s`,
  )

  const startedAt = performance.now()
  const addresses = [...many.addresses]
  while (addresses.length < total) {
    addresses.push(...(await moreAccounts(service, many.walletId, addresses.length)))
    if (addresses.length % 100_000 < ACCOUNTS_AT_ONCE_MAX)
      say(`${addresses.length} accounts after ${sinceSeconds(startedAt)} s`)
  }
  say(`${total} accounts made in ${sinceSeconds(startedAt)} s`)

  const loads = { one: item.addresses, few: addresses.slice(-FEW), all: addresses }

  const figures: Record<keyof typeof loads, Awaited<ReturnType<typeof load>>[]> = {
    one: [],
    few: [],
    all: [],
  }
  // In turn, so that what else the machine does meets all of them.
  for (let round = 0; round < ROUNDS; round++) {
    figures.one.push(await load(service, loads.one))
    figures.few.push(await load(service, loads.few))
    figures.all.push(await load(service, loads.all))
  }
  const cpu = (name: keyof typeof loads) => median(figures[name].map(({ cpuUs }) => cpuUs))
  const rate = (name: keyof typeof loads) => median(figures[name].map(({ perSecond }) => perSecond))
  const told = (name: keyof typeof loads) =>
    `${cpu(name).toFixed(0)} us CPU per activity (x ${(cpu(name) / cpu('one')).toFixed(2)}), ${rate(name).toFixed(0)}/s (x ${(rate(name) / rate('one')).toFixed(2)})`
  say(`a wallet with 1 account, beside it: ${told('one')}`)
  say(`${FEW} of ${total} accounts: ${told('few')}`)
  say(`all ${total} accounts in turn: ${told('all')}`)
  say(`memory of the service: ${residentMegabytes(service.pid).toFixed(0)} MB (host and vault, resident)`)
} finally {
  await service.stop()
}

async function aWallet({ submit }: BenchService, walletName: string) {
  const accounts = [ethereum(0)]
  const { activity } = await submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts })
  // The result of this activity, as its declaration has it.
  return activity.result['createWalletResult'] as {
    readonly walletId: string
    readonly addresses: readonly string[]
  }
}

async function moreAccounts(
  { submit }: BenchService,
  walletId: string,
  from: number,
): Promise<readonly string[]> {
  const count = Math.min(ACCOUNTS_AT_ONCE_MAX, total - from)
  const accounts = Array.from({ length: count }, (_, at) => ethereum(from + at))
  const type = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS'
  const { activity } = await submit('create_wallet_accounts', type, { walletId, accounts })
  // The same.
  const { addresses } = activity.result['createWalletAccountsResult'] as {
    readonly addresses: readonly string[]
  }
  return addresses
}

function ethereum(index: number) {
  return {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/44'/60'/0'/0/${index}`,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
}

async function load({ root, port, pid }: BenchService, signWith: readonly string[]) {
  let cpuBefore = 0
  const report = await sendLoad(
    { load: 'signatures', port, connections: CONNECTIONS, requests: REQUESTS, as: root, signWith },
    {
      before: () => {
        cpuBefore = cpuSeconds(pid)
      },
    },
  )
  if (report.failed > 0)
    throw new Error(`${report.failed} requests failed: ${report.firstFailure.slice(0, 500)}`)
  const cpuUs = ((cpuSeconds(pid) - cpuBefore) / report.succeeded) * 1e6
  return { cpuUs, perSecond: report.succeeded / report.seconds }
}

function sinceSeconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
