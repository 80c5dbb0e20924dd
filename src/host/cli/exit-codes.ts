/** The exit codes that mean the same for all commands. Below, a command can give a code a meaning of its own. */
export const EVERY_EXIT_CODE = {
  0: 'the command succeeded, and what it checked is in order',
  1: 'the command failed or was refused: one sentence on standard error gives the reason',
  2: 'the command did not understand its arguments, and began nothing',
  4: 'the service, the vault or the data are not available now: the same command may succeed later',
} as const

const COPIES_FIRST = { 3: 'other hosts need a copy of the file first' } as const
const COPIES_NOW = { 3: 'this host is done, and other hosts need a copy of the file' } as const
const WAITS = { 3: 'other users have to approve, and then the same command continues' } as const

/** The further meanings of each command, by its name in `claviger help`, which shows them. */
export const EXIT_CODES = {
  dev: {},
  init: {},
  serve: { 1: 'the service could not start, its vault has ended, or its shutdown took too long' },
  vault: { 1: 'the vault could not start, or its process has ended' },
  doctor: { 1: 'a line begins with !!' },
  console: {},
  'console verify': { 1: 'the host serves another console' },
  verify: { 3: 'the command found something wrong' },
  backup: {},
  'archive make': {},
  'archive find': { 3: 'the archives have no such activity' },
  'organization export': {},
  'organization erase': {},
  'user erase': {},
  restore: {},
  move: {},
  upgrade: { 1: 'all hosts have to stop, or the data are not for this version' },
  emulate: {},
  mcp: {},
  version: {},
  'root-key make': {},
  'root-key list': { 1: 'a host holds other keys than the file' },
  'root-key add': COPIES_FIRST,
  'root-key reseal': { 1: 'some rows could not be resealed', ...COPIES_FIRST },
  'root-key retire': COPIES_NOW,
  'root-key rekey': {},
  unseal: { 1: 'the share was refused' },
  'recovery create': { 3: 'the set of an organization waits for other members of its root quorum' },
  'recovery rehearse': {},
  'recovery use': {},
  'recovery begin': {},
  'recovery complete': {},
  'recovery stop': { 3: 'the stop waits for a further proof by the root user' },
  'service-key list': {},
  'service-key add': COPIES_FIRST,
  'service-key use': COPIES_NOW,
  'service-key retire': COPIES_NOW,
  'quota set': {},
  'quota list': {},
  'quota show': {},
  'quota remove': {},
  'quota near': {},
  'quota recount': { 1: 'a count was wrong, and was corrected' },
  'webhooks backlog': {},
  'webhooks dead': {},
  'webhooks redeliver': { 1: 'the request was refused, and nothing is due again' },
  'policies lint': { 1: 'a finding is above the level of a note' },
  'policies test': { 1: 'a case does not have the expected outcome' },
  'policies try': {},
  'policies replay': {},
  'policies explain': {},
  approve: {
    1: 'the activity cannot be approved here, or the digits differ',
    3: 'the activity was shown, without a vote',
  },
  'agent create': { 1: 'the answer was no', ...WAITS },
  'agent list': {},
  'agent show': {},
  'agent pause': WAITS,
  'agent resume': WAITS,
  'agent revoke': WAITS,
  'secret run': { '*': 'that of COMMAND; 128 plus the number of the signal that ended it' },
} as const

type CommandName = keyof typeof EXIT_CODES

/** The codes that a command may return: 0, and those that it declares. Other codes come from errors that it throws. */
export type ExitCode<Name extends CommandName> = Name extends CommandName
  ? 0 | keyof (typeof EXIT_CODES)[Name]
  : never

/** The commands of a group, such as those of `root-key`. */
export type CommandOf<Group extends string> = Extract<CommandName, `${Group} ${string}`>
