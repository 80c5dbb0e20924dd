// What a person's browser is busy with among a million sub-organizations, an organization of ten thousand activities
// and fifty transactions that wait:
//   npm run scale -- fill --folder FOLDER [--sub-organizations 1000000]
//   npm run scale -- measure --folder FOLDER
// Filling goes on where it ended, so that it can be done in pieces. Measuring takes less than a minute, and wants a
// quiet machine; it fails where the page's main thread had a task of more than 100 ms.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { present } from '../../src/trusted/base/assert.ts'
import { etherTransfer } from '../../bench/transfers.ts'
import { ethereumAccount, newAddress } from '../clients/new-wallet.ts'
import { aSetting, type KeyPair, type Setting } from '../clients/setting.ts'
import { aConsole } from '../console/console-setting.ts'
import { countGiven, refuse } from '../support/given.ts'
import { copyActivity, copySubOrganization } from '../support/sealed-copies.ts'
import { longestTasks } from './longest-tasks.ts'
import { walks } from './walks.ts'

const ACTIVITIES = 10_000
const WAITING = 50
const TASK_MS_MAX = 100

/** What the next step has to know of a folder. */
type Filled = {
  readonly organizationId: string
  /** Of who may approve what waits. */
  readonly approver: KeyPair & { readonly organizationId: string }
  readonly subOrganizations: number
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string' },
    'sub-organizations': { type: 'string', default: '1000000' },
  },
})
const [step = ''] = positionals
if (step !== 'fill' && step !== 'measure') refuse(`it is fill or measure, and not "${step}"`)
const folder = resolve(values.folder ?? refuse('--folder FOLDER is missing'))
const count = countGiven(values['sub-organizations'], '--sub-organizations')
const notes = join(folder, 'filled.json')
if (step === 'measure' && !existsSync(notes)) refuse(`${folder} holds nothing to measure: fill it first`)
mkdirSync(folder, { recursive: true })
const setting = await aSetting({}, join(folder, 'data'))
try {
  if (step === 'measure') await measure(filledBefore())
  else await fill(count)
} finally {
  await setting.service.stop()
}

function filledBefore(): Filled {
  // This script has written it.
  return JSON.parse(readFileSync(notes, 'utf8')) as Filled
}

async function fill(many: number): Promise<void> {
  const before = existsSync(notes) ? filledBefore() : await begun()
  const { organizationId, subOrganizations } = before
  if (subOrganizations < many)
    copySubOrganization(setting.service.dataFolder, organizationId, [subOrganizations + 1, many])
  writeFileSync(notes, JSON.stringify({ ...before, subOrganizations: Math.max(subOrganizations, many) }))
  console.log(`${Math.max(subOrganizations, many)} sub-organizations`)
}

async function begun(): Promise<Filled> {
  const { root, service } = setting
  const tag = { userTagName: 'Seed tag', userIds: [] }
  const { activity } = await root.client.createUserTag(root.activity('ACTIVITY_TYPE_CREATE_USER_TAG', tag))
  copyActivity(service.dataFolder, { activityId: activity.id, name: 'Seed tag' }, [1, ACTIVITIES])
  const [seed] = await setting.subOrganization('Seed', ['Ada'])
  return {
    organizationId: present(seed, 'one user').organizationId,
    approver: await waiting(setting),
    subOrganizations: 0,
  }
}

/** Transactions that one of two has asked for. @returns  the other */
async function waiting({ subOrganization }: Setting): Promise<Filled['approver']> {
  const [ada, grace] = await subOrganization('Treasury', ['Ada', 'Grace'])
  const asker = present(ada, 'the first')
  const { organizationId, publicKey, privateKey, userId } = present(grace, 'the second')
  const signWith = await newAddress(asker, ethereumAccount)
  const quorum = { threshold: 2, userIds: [asker.userId, userId] }
  await asker.client.updateRootQuorum(asker.activity('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum))
  for (let nonce = 0; nonce < WAITING; nonce++)
    await asker.client.signTransaction(
      asker.activity('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
        signWith,
        type: 'TRANSACTION_TYPE_ETHEREUM' as const,
        unsignedTransaction: etherTransfer(nonce),
      }),
    )
  return { organizationId, publicKey, privateKey }
}

async function measure({ approver, subOrganizations }: Filled): Promise<void> {
  const shown = await aConsole(setting)
  console.log(`among ${subOrganizations} sub-organizations and ${ACTIVITIES} activities`)
  for (const { what, path, isApprover, walk } of walks(subOrganizations)) {
    const page = await shown.signedIn(path, isApprover === true ? approver : setting.root)
    const tasks = await longestTasks(page)
    await walk(page, setting.root)
    const longest = await tasks.ended()
    const shownTasks = longest.map(({ tookMs, ranMs }) => `${tookMs.toFixed(0)} ms (ran ${ranMs.toFixed(0)})`)
    console.log(`${what}: ${shownTasks.join(', ')}`)
    if (longest.some(({ tookMs }) => tookMs > TASK_MS_MAX)) process.exitCode = 1
    await page.close()
  }
  await shown.browser.close()
}
