import { callerFrom, namesFrom } from '../caller.ts'
import { printable } from '../policies/printable.ts'
import { UsageError } from '../usage.ts'
import { agentPolicies } from './agent-policies.ts'
import { wantedText } from './agent-text.ts'
import { approversIn } from './approvers.ts'
import { checkAdoptedOrganization, checkAdoptedUser, checkKeptKey } from './check-adopted.ts'
import { type CreateOptions, createOptions } from './create-options.ts'
import { keyFilePath, publicKeyIn } from './key-file.ts'
import { signerOf } from './signer-of.ts'
import { makeKey } from './make-key.ts'
import { makePolicies } from './make-policies.ts'
import { makeSubOrganization } from './make-sub-organization.ts'
import { makeUser } from './make-user.ts'
import { makeWallet, presentWallet } from './make-wallet.ts'
import { pausedBy } from './located.ts'
import { agentUser, type Organization, policiesOfAgent, readOrganization } from './organization.ts'
import { policiesBeside } from './policies-beside.ts'
import { carriedOut, type Step } from './step.ts'
import { subOrganizationFor } from './sub-organizations.ts'
import type { Terminal } from './terminal.ts'
import { agentLabel, type WantedAgent } from './wanted-agent.ts'
import type { ExitCode } from '../exit-codes.ts'

/**
 * `claviger agent create`: shows the permitted and denied actions of the agent, asks for confirmation, and makes the
 * missing parts, the denials before the key.
 */
export async function createAgent(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode<'agent create'>> {
  const options = createOptions(args)
  const home = await readOrganization(callerFrom(options.as, terminal.environment))
  const ground = options.subOrganization
    ? await subOrganizationFor(home.caller, options.name, terminal)
    : home
  checkAdopted(options, ground, terminal)
  await presentWallet(options, ground)
  terminal.write(shown(wantedAgent(options, ground ?? alone(home)), options, ground))
  if (!options.yes && !(await confirmed(terminal))) return 1
  const make = async (organization: Organization, step: Step) =>
    await carriedOut(organization, step, terminal.now)
  const organization = ground ?? (await makeSubOrganization(home, options.name, terminal, make))
  const wallet = await makeWallet(options, organization, make)
  const userId =
    agentUser(organization, options.name)?.userId ??
    (await makeUser(organization, options.name, terminal, make))
  const ids = { userId, walletId: wallet?.walletId ?? '', address: wallet?.address ?? '' }
  await makePolicies(organization, wantedAgent(options, organization), ids, make)
  const signer =
    namesFrom(options.as, terminal.environment)['SIGNER_PUBLIC_KEY'] ?? (await signerOf(home.caller))
  const path = await makeKey(organization, options, { ...ids, signer }, terminal, make)
  const { organizationId } = organization.caller
  terminal.tell({ name: options.name, organizationId, ...ids, keyFile: path })
  const policies = policiesOfAgent(organization, options.name)
  const state = pausedBy({ name: options.name, policies, userId }) === undefined ? 'ready' : 'paused'
  terminal.write(`agent ${options.name} is ${state}. Its key is in ${path}; there is no other copy.\n`)
  return 0
}

// Until they are made, placeholders stand for ids in the output.
const ROOT = 'ROOT'
const NOT_MADE = { userId: 'USER', walletId: 'WALLET', address: 'ADDRESS' }

/** If an object with the agent's name exists and is not its own, nothing is made. */
function checkAdopted(options: CreateOptions, ground: Organization | undefined, terminal: Terminal): void {
  const { name, subOrganization } = options
  const path = keyFilePath(terminal, name)
  const key = publicKeyIn(path, ground?.caller.organizationId)
  if (ground === undefined) return
  if (subOrganization) checkAdoptedOrganization(ground, agentLabel(name))
  const user = agentUser(ground, name)
  if (key !== undefined) {
    const userId = namesFrom(path, {})['USER_ID']
    checkKeptKey(user, { key, userId, path, now: terminal.now() })
  }
  if (user === undefined) return
  checkAdoptedUser(user, { key, path, isRoot: ground.quorum.userIds.includes(user.userId) })
}

/** A new sub-organization has one user, who is its root quorum: the sender of the request. */
function alone(home: Organization): Organization {
  return {
    ...home,
    userId: ROOT,
    users: home.users
      .filter(({ userId }) => userId === home.userId)
      .map((user) => ({ ...user, userId: ROOT })),
    policies: [],
    quorum: { threshold: 1, userIds: [ROOT] },
  }
}

function wantedAgent(options: CreateOptions, ground: Organization): WantedAgent {
  const { name, template, chain, daily, perTransaction, to, calls, askAbove } = options
  const { quorum, userId, users } = ground
  const isEnough = quorum.threshold === 1 && quorum.userIds.includes(userId)
  const sender = users.find((user) => user.userId === userId)
  const limits = {
    chain,
    to,
    calls,
    ...(daily === undefined ? {} : { daily }),
    ...(perTransaction === undefined ? {} : { perTransaction }),
    ...(askAbove === undefined ? {} : { askAbove: approversIn(askAbove, ground) }),
  }
  return {
    name,
    template,
    ...(template === 'payer' ? { limits } : {}),
    stoppers: isEnough || sender === undefined ? [] : [sender],
  }
}

function shown(wanted: WantedAgent, options: CreateOptions, ground: Organization | undefined): string {
  const user = ground === undefined ? undefined : agentUser(ground, wanted.name)
  const ids = { ...NOT_MADE, ...(user === undefined ? {} : { userId: user.userId }) }
  const until = options.expires === undefined ? 'without an end' : `that ends after ${options.expires.text}`
  const where = options.subOrganization
    ? 'in a sub-organization of its own, where it can read nothing of yours'
    : `in ${printable(ground?.name ?? '')}`
  return wantedText(wanted, agentPolicies(wanted, ids), {
    heading: `a ${wanted.template} ${where}, with a key ${until}`,
    // The denials of every other template leave no right that another policy could extend.
    beside:
      wanted.template === 'payer'
        ? policiesBeside(ground?.policies ?? [], { ...ids, ...user, name: wanted.name })
        : [],
  })
}

async function confirmed({ confirms, write }: Terminal): Promise<boolean> {
  if (confirms === undefined) throw new UsageError('there is no terminal to ask at: confirm with --yes')
  const isConfirmed = await confirms('Make this agent?')
  if (!isConfirmed) write('Nothing was made.\n')
  return isConfirmed
}
