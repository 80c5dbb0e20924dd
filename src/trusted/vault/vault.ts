import { keyedMutex } from '../base/keyed-mutex.ts'
import { toHex } from '../base/bytes.ts'
import { readPlain } from '../base/plain.ts'
import type { TargetRules } from '../base/public-address.ts'
import { Pace, Work } from '../base/work.ts'
import type { World } from '../base/world.ts'
import type { Activity } from '../catalogue/activity.ts'
import { costs } from '../base/costs.ts'
import { activitiesByType } from '../catalogue/submission.ts'
import { policyVocabulary } from '../catalogue/vocabulary.ts'
import { type StampVerifier, verifyStamp } from '../crypto/stamp-verify.ts'
import { decide } from './decision/decide.ts'
import { withDrawing } from './decision/drawing.ts'
import { erase } from './erasure/erase.ts'
import { eraseUser } from './erasure/erase-user.ts'
import { establish } from './charters/establish.ts'
import type { Emulation, VaultContext } from './vault-context.ts'
import { heartbeat } from './recovery/heartbeat.ts'
import type { Keyring, RootKeys } from './keys/keyring.ts'
import { Memory } from './memory/memory.ts'
import type { Costed, Vault } from '../../protocol/vault.ts'
import { reseal } from './seals/reseal.ts'
import { rehearse } from './decision/rehearse.ts'
import { settledUnits } from '../../protocol/calls.ts'
import { type CallOf, readCall, type VaultMethod } from '../../protocol/methods.ts'
import { openJob, proofOrigin, rootProof } from './seals/seals.ts'
import { ShownHeartbeats } from './recovery/shown-heartbeats.ts'
import { openService, publicServiceKeys } from './keys/service-keys.ts'
import { CompiledCharters } from './charters/compiled-charters.ts'
import { announceRecovery } from './recovery/announce-recovery.ts'
import { announceRestore } from './recovery/announce-restore.ts'
import { readRestored } from './memory/restored-copy.ts'
import { verifyRows } from './seals/verify-rows.ts'
import { signedWebhook } from './records/webhooks.ts'
import { identified } from './authentication/identified.ts'
import { rereading } from './keys/rereading.ts'
import { checkRows, organizationOf } from './records/check-rows.ts'

/**
 * The vault as an object in the current process; the vault process, tests and the simulation use it. It does no I/O.
 * Each call checks its input with a shape first, regardless of its static type, because the input comes from another
 * process.
 */
export function openVault(inputs: {
  readonly world: World
  readonly keyring: Keyring
  readonly activities: readonly Activity[]
  /** The verifier of stamps; by default on this thread. */
  readonly verifyStamp?: StampVerifier
  /** The allowed targets of webhooks; by default https at public addresses. */
  readonly targets?: TargetRules
  /** Without a pace that waits for the next turn of the event loop, expensive work runs without a break. */
  readonly pace?: Pace
  /** The keys in the root key file, if it has changed since the last read. */
  readonly rereadRootKeys?: () => Promise<RootKeys | undefined>
  /** By default one of the size that docs/decisions/memory.md states. */
  readonly memory?: Memory
  /** Only set by an emulator. */
  readonly emulation?: Emulation
}): Vault {
  const { world, keyring, activities, pace = new Pace(async () => {}), memory = new Memory(world) } = inputs
  const vocabulary = policyVocabulary(activities)
  const rereadTrouble = rereading(keyring, inputs.rereadRootKeys)
  const vaultContext: VaultContext = {
    world,
    keyring,
    vocabulary,
    memory,
    shownHeartbeats: new ShownHeartbeats(),
    meterTurns: keyedMutex(),
    compiledCharters: new CompiledCharters(keyring, vocabulary, memory),
    types: activitiesByType(activities),
    service: openService(keyring, inputs.targets),
    verifyStamp: inputs.verifyStamp ?? verifyStamp,
    pace,
    ...(inputs.emulation === undefined ? {} : { emulation: inputs.emulation }),
  }
  const inTurn = inTurns(vaultContext)
  return {
    settled: (sent) => memory.settle(readPlain(settledUnits, sent, 'settled'), world.now()),
    decide: inTurn('decide', ({ charters }) => charters[0]?.organizationId, decide),
    identify: inTurn('identify', ({ organizationId }) => organizationId, identified),
    check: inTurn('check', organizationOf, checkRows),
    establish: async (sent) =>
      withDrawing(
        vaultContext,
        async (drawing) => establish(drawing, readCall('establish', sent)),
        ({ ticket }) => ticket,
      ),
    openJob: async (sent) => openJob(keyring, readCall('openJob', sent)),
    signWebhook: async (sent) => {
      const request = readCall('signWebhook', sent)
      const { organizationId, intent, votes } = request.row
      // One record may go to a hundred endpoints: they take the turns of its tenant.
      const work = new Work(pace, turnsOf(memory, organizationId))
      await work.step(costs.row + (intent.length + votes.length) * costs.webhookCharacter)
      return signedWebhook(keyring, request)
    },
    rehearse: inTurn('rehearse', ({ organizationId }) => organizationId, rehearse),
    verify: async (sent) => {
      const rows = readCall('verify', sent)
      return await verifyRows(keyring, rows, new Work(pace, COPIES))
    },
    copyKey: async (sent) => {
      const { salt, version = keyring.version } = readCall('copyKey', sent)
      return keyring.holds(version) ? { version, key: toHex(keyring.copyKey(salt, version)) } : { version }
    },
    restored: async (sent) => {
      const made = readCall('restored', sent)
      const restored = readRestored(made.challenge)
      if (restored === undefined || proofOrigin(keyring, made) !== 'own') return false
      memory.restored.note(restored)
      return true
    },
    announceRestore: async (sent) =>
      await announceRestore(vaultContext, readCall('announceRestore', sent), new Work(pace, COPIES)),
    announceRecovery: async (sent) =>
      await announceRecovery(vaultContext, readCall('announceRecovery', sent), new Work(pace, COPIES)),
    heartbeat: inTurn('heartbeat', ({ charter }) => charter.organizationId, heartbeat),
    serviceKeys: async (sent?: unknown) => {
      readCall('serviceKeys', sent)
      return publicServiceKeys(keyring, world.now())
    },
    rereadRootKey: async (sent?: unknown) => {
      readCall('rereadRootKey', sent)
      const trouble = await rereadTrouble()
      return { ...keyring.shown(), ...(trouble === undefined ? {} : { trouble }) }
    },
    // A separate flow: all resealing together gets the turns of one tenant.
    reseal: inTurn('reseal', () => RESEALING, reseal),
    erase: async (sent) => await erase(vaultContext, readCall('erase', sent), new Work(pace, COPIES)),
    eraseUser: async (sent) =>
      await eraseUser(vaultContext, readCall('eraseUser', sent), new Work(pace, COPIES)),
    proveRoot: async (sent) => rootProof(keyring, readCall('proveRoot', sent)),
    checkRootProof: async (sent) => proofOrigin(keyring, readCall('checkRootProof', sent)),
  }
}

const RESEALING = 'resealing'

/** The flow for verifying a whole store, which belongs to no tenant. */
const COPIES = 'copies'

/** Calls that are worked on in the turns of the tenant of an organization, and whose answers have their cost. */
function inTurns(vaultContext: VaultContext) {
  const { pace, memory } = vaultContext
  return <M extends VaultMethod, T>(
    method: M,
    organizationIn: (call: CallOf<M>) => string | undefined,
    run: (vaultContext: VaultContext, call: CallOf<M>, work: Work) => Promise<T>,
  ) =>
    async (sent: unknown): Promise<Costed<T>> => {
      const call = readCall(method, sent)
      const work = new Work(pace, turnsOf(memory, organizationIn(call) ?? ''))
      const turn = work.pause()
      // Awaiting undefined would start all simultaneous requests before the first of them has charged its cost.
      if (turn !== undefined) await turn
      const answer = await run(vaultContext, call, work)
      return { ...answer, cost: Math.ceil(work.spent) }
    }
}

/** An organization has the turns of its tenant, once that is known. */
function turnsOf(memory: Memory, organizationId: string): string {
  return memory.tenantOf(organizationId) ?? organizationId
}
