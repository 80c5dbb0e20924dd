import { errorBody, Failure } from '../base/failure.ts'
import { keyedMutex } from '../base/keyed-mutex.ts'
import { toHex, utf8 } from '../base/bytes.ts'
import { readPlain } from '../base/plain.ts'
import type { TargetRules } from '../base/public-address.ts'
import { Pace, Work } from '../base/work.ts'
import type { World } from '../base/world.ts'
import type { Activity } from '../catalogue/activity.ts'
import { costs } from '../base/costs.ts'
import { activitiesByType } from '../catalogue/submission.ts'
import { policyVocabulary } from '../catalogue/vocabulary.ts'
import { type StampVerifier, verifyStamp } from '../crypto/stamp-verify.ts'
import { compiledChartersOf } from './charters/compiled-charters-of.ts'
import { decide } from './decision/decide.ts'
import { withDrawing } from './decision/drawing.ts'
import { erase } from './erasure/erase.ts'
import { eraseUser } from './erasure/erase-user.ts'
import { establish } from './charters/establish.ts'
import type { Emulation, VaultContext } from './vault-context.ts'
import { heartbeat } from './recovery/heartbeat.ts'
import { ATTESTED_SCHEME, identify, type Operation } from './authentication/identify.ts'
import type { Keyring, RootKeys } from './keys/keyring.ts'
import { RootKeyError } from './keys/root-key-error.ts'
import { Memory } from './memory/memory.ts'
import { NO_EXPIRY, outdated } from './memory/rollback-guard.ts'
import type {
  Checked,
  CheckRequest,
  Costed,
  IdentifyRequest,
  Identified,
  Vault,
} from '../../protocol/vault.ts'
import { reseal } from './seals/reseal.ts'
import { rehearse } from './decision/rehearse.ts'
import { readOnlySigner } from './authentication/read-only.ts'
import { checkRecoveryKey } from './recovery/recovery-keys.ts'
import { settledUnits } from '../../protocol/calls.ts'
import { readCall } from '../../protocol/methods.ts'
import { proofOrigin, fitsCharter, openCharter, openJob, openObject, rootProof } from './seals/seals.ts'
import { stamperOf } from './authentication/stamper-of.ts'
import { ShownHeartbeats } from './recovery/shown-heartbeats.ts'
import { seeRecord } from './records/see-record.ts'
import { openService, publicServiceKeys } from './keys/service-keys.ts'
import { CompiledCharters } from './charters/compiled-charter.ts'
import { announceRecovery } from './recovery/announce-recovery.ts'
import { announceRestore } from './recovery/announce-restore.ts'
import { readRestored } from './memory/restored-copy.ts'
import { verifyRows } from './seals/verify-rows.ts'
import { signedWebhook } from './records/webhooks.ts'

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
  /** Only set by an emulator. */
  readonly emulation?: Emulation
}): Vault {
  const { world, keyring, activities, pace = new Pace(async () => {}) } = inputs
  const vocabulary = policyVocabulary(activities)
  const memory = new Memory(world)
  const rereadTrouble = rereading(keyring, inputs.rereadRootKeys)
  const vaultContext: VaultContext = {
    world,
    keyring,
    vocabulary,
    memory,
    shownHeartbeats: new ShownHeartbeats(),
    meterTurns: keyedMutex(),
    compiledCharters: new CompiledCharters(keyring, vocabulary, memory.charters),
    types: activitiesByType(activities),
    service: openService(keyring, inputs.targets),
    verifyStamp: inputs.verifyStamp ?? verifyStamp,
    pace,
    ...(inputs.emulation === undefined ? {} : { emulation: inputs.emulation }),
  }
  return {
    settled: (sent) => memory.settle(readPlain(settledUnits, sent, 'settled'), world.now()),
    decide: async (sent) => {
      const request = readCall('decide', sent)
      return await costed(vaultContext, request.charters[0]?.organizationId, (work) =>
        decide(vaultContext, request, work),
      )
    },
    identify: async (sent) => {
      const request = readCall('identify', sent)
      return await costed(vaultContext, request.organizationId, (work) =>
        identified(vaultContext, request, work),
      )
    },
    check: async (sent) => {
      const request = readCall('check', sent)
      return await costed(vaultContext, organizationOf(request), (work) => check(vaultContext, request, work))
    },
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
      const work = new Work(pace, vaultContext.compiledCharters.tenantOf(organizationId))
      await work.step(costs.row + (intent.length + votes.length) * costs.webhookCharacter)
      return signedWebhook(keyring, request)
    },
    rehearse: async (sent) => {
      const request = readCall('rehearse', sent)
      return await costed(vaultContext, request.organizationId, (work) =>
        rehearse(vaultContext, request, work),
      )
    },
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
    heartbeat: async (sent) => {
      const request = readCall('heartbeat', sent)
      return await costed(vaultContext, request.charter.organizationId, (work) =>
        heartbeat(vaultContext, request, work),
      )
    },
    serviceKeys: async (sent?: unknown) => {
      readCall('serviceKeys', sent)
      return publicServiceKeys(keyring, world.now())
    },
    rereadRootKey: async (sent?: unknown) => {
      readCall('rereadRootKey', sent)
      const trouble = await rereadTrouble()
      return { ...keyring.shown(), ...(trouble === undefined ? {} : { trouble }) }
    },
    reseal: async (sent) => {
      const request = readCall('reseal', sent)
      // A separate flow: all resealing together gets the turns of one tenant.
      return await costed(vaultContext, RESEALING, (work) => reseal(vaultContext, request, work))
    },
    erase: async (sent) => await erase(vaultContext, readCall('erase', sent), new Work(pace, COPIES)),
    eraseUser: async (sent) =>
      await eraseUser(vaultContext, readCall('eraseUser', sent), new Work(pace, COPIES)),
    proveRoot: async (sent) => rootProof(keyring, readCall('proveRoot', sent)),
    checkRootProof: async (sent) => proofOrigin(keyring, readCall('checkRootProof', sent)),
  }
}

const RESEALING = 'resealing'

/**
 * Adopts the root key file where it has changed.
 *
 * @returns  the reason why the file was not accepted, as long as there is no other file
 */
function rereading(
  keyring: Keyring,
  reread: () => Promise<RootKeys | undefined> = async () => undefined,
): () => Promise<string | undefined> {
  let refusal: string | undefined
  return async () => {
    try {
      const keys = await reread()
      if (keys !== undefined) refusal = refusalOf(keyring, keys)
      return refusal
    } catch (error) {
      return reasonIn(error)
    }
  }
}

function refusalOf(keyring: Keyring, keys: RootKeys): string | undefined {
  try {
    keyring.adopt(keys)
    return undefined
  } catch (error) {
    return reasonIn(error)
  }
}

function reasonIn(error: unknown): string {
  if (error instanceof RootKeyError) return error.message
  throw error
}

/** The flow for verifying a whole store, which belongs to no tenant. */
const COPIES = 'copies'

/** Does the work in the turns of the organization's tenant, and returns its cost. */
async function costed<T>(
  { pace, compiledCharters }: VaultContext,
  organizationId: string | undefined,
  run: (work: Work) => Promise<T>,
): Promise<Costed<T>> {
  const work = new Work(pace, compiledCharters.tenantOf(organizationId ?? ''))
  const turn = work.pause()
  // Awaiting undefined would start all simultaneous requests before the first of them has charged its cost.
  if (turn !== undefined) await turn
  const answer = await run(work)
  return { ...answer, cost: Math.ceil(work.spent) }
}

const ATTESTABLE_QUERY: Operation = { operation: 'a query', attestable: true }

async function identified(
  vaultContext: VaultContext,
  request: IdentifyRequest,
  work: Work,
): Promise<Identified> {
  const { body, stamp: headers, organizationId, clientAddress, answers = [] } = request
  work.charge(costs.request)
  const now = vaultContext.world.now()
  try {
    const { compiledCharters, missing } = await compiledChartersOf(
      vaultContext,
      organizationId,
      request.charters,
      { work, now },
    )
    if (compiledCharters === undefined) return { kind: 'needs', charters: missing }
    if (headers.xSession !== undefined) return readOnlySigner(vaultContext, request, compiledCharters)
    const stamped = { body: utf8(body), headers, organizationId, clientAddress, answers }
    const query = request.attestable === true ? ATTESTABLE_QUERY : undefined
    const result = await identify({ ...vaultContext, work }, stamped, query, compiledCharters, now)
    if (result.kind === 'needsParent') return { kind: 'needs', charters: [result.parentId] }
    if (result.kind === 'asks') return result
    checkRecoveryKey(result.identity, undefined)
    const { user, compiled, proof } = result.identity
    const { userName } = user
    const tokenKey = proof.scheme === ATTESTED_SCHEME ? { tokenKey: proof.publicKey } : {}
    const { organizationName } = compiled.charter
    const { homeId, ...stamper } = stamperOf(result.identity)
    return { kind: 'signer', userName, organizationId: homeId, organizationName, ...stamper, ...tokenKey }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'refused', error: errorBody(error) }
    return outdated(error)
  }
}

function organizationOf({ charters, activities, objects }: CheckRequest): string | undefined {
  return (charters[0] ?? activities[0] ?? objects[0])?.organizationId
}

async function check(
  { keyring, memory, world }: VaultContext,
  { charters, activities, objects }: CheckRequest,
  work: Work,
): Promise<Checked> {
  const now = world.now()
  try {
    for (const { body, ...row } of charters) {
      await work.step(costs.row + (body ?? '').length * costs.charterCharacter)
      const { organizationId, version: revision, seal } = row
      const state = { revision, seal, until: NO_EXPIRY }
      if (body === undefined) {
        memory.charters.check(organizationId, state, now)
        continue
      }
      const whole = { ...row, body }
      openCharter(keyring, whole)
      memory.charters.see(organizationId, state, now, (known) => fitsCharter(keyring, whole, known))
    }
    for (const row of activities) {
      await work.step(costs.row + (row.intent.length + row.votes.length) * costs.rowCharacter)
      seeRecord({ keyring, memory }, row, now)
    }
    for (const row of objects) {
      await work.step(costs.row + row.body.length * costs.rowCharacter)
      openObject(keyring, row).wipe()
    }
    return { kind: 'checked' }
  } catch (error) {
    return outdated(error)
  }
}
