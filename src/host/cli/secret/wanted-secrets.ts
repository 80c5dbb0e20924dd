import { isUuid } from '../../../trusted/base/ids.ts'
import type { TypeOf } from '../../../trusted/catalogue/shape.ts'
import { listedSecrets } from '../../queries/secrets/list-secrets.ts'
import { identity } from '../../queries/users/whoami.ts'
import { agentNameIn } from '../agent/wanted-agent.ts'
import { printable } from '../policies/printable.ts'
import { type Caller, signedQuery } from '../signed-query.ts'
import { UsageError } from '../usage.ts'
import { CommandError } from '../command-error.ts'

type ListedSecret = TypeOf<typeof listedSecrets>['secrets'][number]

/** A secret, and its environment variable. */
export type WantedSecret = { readonly variable: string; readonly secretId: string }

const AT_ONCE_MAX = 20

/**
 * The secrets in a command line: `NAME`, or `VARIABLE=NAME` with a name or an id. Without any name, all that are marked
 * as the agent's own.
 *
 * @throws CommandError  if no secret, or several secrets, have a name, or if a variable cannot have its name
 * @throws UsageError  for too many names
 */
export async function wantedSecrets(
  names: readonly string[],
  caller: Caller,
): Promise<readonly WantedSecret[]> {
  const secrets = await allSecrets(caller)
  const wanted =
    names.length === 0 ? await ownSecrets(secrets, caller) : names.map((name) => secretCalled(name, secrets))
  if (wanted.length === 0) throw new CommandError('no secret is marked as this agent’s own')
  if (wanted.length > AT_ONCE_MAX) throw new UsageError(`at most ${AT_ONCE_MAX} secrets are read at once`)
  const twice = wanted.find(({ variable }, at) => wanted.findIndex((one) => one.variable === variable) < at)
  if (twice !== undefined) throw new CommandError(`${twice.variable} is given twice`)
  return wanted
}

async function ownSecrets(
  secrets: readonly ListedSecret[],
  caller: Caller,
): Promise<readonly WantedSecret[]> {
  const { username } = await signedQuery(caller, 'whoami', {}, identity)
  const agent = agentNameIn(username)
  if (agent === undefined) throw new UsageError('takes names of secrets, --, and a command')
  return secrets
    .filter(({ staticProperties }) =>
      staticProperties.some(({ key, value }) => key === 'agent' && value === agent),
    )
    .map(({ name = '' }) => {
      if (steersPrograms(name))
        throw new CommandError(
          `${name} controls programs, and the user who imported the secret chose this name: name the variable here yourself`,
        )
      return secretCalled(name, secrets)
    })
}

/**
 * Whether a variable controls programs, for loaders, shells and interpreters, or makes one of them run its text. No
 * list of such names is complete.
 */
export function steersPrograms(name: string): boolean {
  return STEERS.some((pattern) => pattern.test(name))
}

const STEERS = [
  /^(LD_|DYLD_|GLIBC_|BASH|PROMPT_|GIT_|SSH_|OPENSSL_)/i,
  /^(NODE_|NPM_|PYTHON|PERL|RUBY|LUA_|PHP|JAVA_|JDK_|DOTNET_|CORECLR_|COR_)/i,
  /(PATH|_PROXY|PAGER|_ASKPASS|_OPTS|_OPTIONS|FLAGS)$/i,
  /^(ENV|IFS|SHELL|SHELLOPTS|HOME|TERM|TMPDIR|ZDOTDIR|PS[0-4])$/i,
  /^(EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|VIMINIT|EXINIT)$/i,
] as const

function secretCalled(given: string, secrets: readonly ListedSecret[]): WantedSecret {
  const at = given.indexOf('=')
  const variable = at < 0 ? given : given.slice(0, at)
  const called = at < 0 ? given : given.slice(at + 1)
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable))
    throw new CommandError(
      `${printable(variable)} is not a valid name of a variable: VARIABLE=${printable(called)} gives it one`,
    )
  // An id needs no list: the host could list another secret under it.
  if (isUuid(called)) return { variable, secretId: called }
  const found = secrets.filter(({ name }) => name === called)
  const [secret, ...others] = found
  if (secret === undefined) throw new CommandError(`there is no secret called ${printable(called)}`)
  if (others.length > 0)
    throw new CommandError(
      `several secrets are called ${printable(called)}: ${variable}=ID names one (${found.map(({ secretId }) => secretId).join(', ')})`,
    )
  return { variable, secretId: secret.secretId }
}

const PAGE = 100

async function allSecrets(caller: Caller): Promise<readonly ListedSecret[]> {
  const found: ListedSecret[] = []
  for (;;) {
    const after = found.at(-1)?.secretId
    const paginationOptions = { limit: String(PAGE), ...(after === undefined ? {} : { after }) }
    const { secrets } = await signedQuery(caller, 'list_secrets', { paginationOptions }, listedSecrets)
    found.push(...secrets)
    if (secrets.length < PAGE) return found
  }
}
