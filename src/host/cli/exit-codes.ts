/** What the exit codes of all commands mean. Some commands have a meaning of their own, below. */
export const EVERY_EXIT_CODE = {
  0: 'the command did what was asked, and what it looked at is well',
  1: 'it failed or was refused: one sentence on standard error says why',
  2: 'it was called in a way that it does not understand, and began nothing',
  4: 'the service, the vault or the data that it needs are not available now: the same call may work later',
} as const

const COPIES_FIRST = { 3: 'other hosts need a copy of the file first' } as const
const COPIES_NOW = { 3: 'done here, and other hosts need a copy of the file' } as const
const WAITS = { 3: 'others have to approve, and then the same command goes on' } as const

/** The meanings that a command has beside those of all, by its name in `claviger help`, which shows them. */
export const EXIT_CODES = {
  dev: {},
  init: {},
  serve: { 1: 'it could not start, or its vault has ended' },
  vault: { 1: 'it could not start, or its process has ended' },
  doctor: { 1: 'a line begins with !!' },
  console: {},
  'console verify': { 1: 'the host serves something else' },
  verify: { 3: 'something is wrong' },
  backup: {},
  'archive make': {},
  'archive find': { 3: 'the archives have nothing of it' },
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
  'root-key reseal': { 1: 'some rows could not be sealed anew', ...COPIES_FIRST },
  'root-key retire': COPIES_NOW,
  'root-key rekey': {},
  unseal: { 1: 'the share was refused' },
  'recovery create': { 3: 'the set of an organization waits for others of its root quorum' },
  'recovery rehearse': {},
  'recovery use': {},
  'recovery begin': {},
  'recovery complete': {},
  'recovery stop': { 3: 'it waits for a further proof of that user' },
  'service-key list': {},
  'service-key add': COPIES_FIRST,
  'service-key use': COPIES_NOW,
  'service-key retire': COPIES_NOW,
  'quota set': {},
  'quota list': {},
  'quota show': {},
  'quota remove': {},
  'quota near': {},
  'quota recount': { 1: 'something was counted wrong' },
  'webhooks backlog': {},
  'webhooks dead': {},
  'webhooks redeliver': { 1: 'nothing is due again' },
  'policies lint': { 1: 'a finding is more than a note' },
  'policies test': { 1: 'a case came out otherwise' },
  'policies try': {},
  'policies replay': {},
  'policies explain': {},
  approve: { 1: 'it cannot be approved here, or the digits are others', 3: 'shown, no vote cast' },
  'agent create': { 1: 'the answer was no', ...WAITS },
  'agent list': {},
  'agent show': {},
  'agent pause': WAITS,
  'agent resume': WAITS,
  'agent revoke': WAITS,
  'secret run': { '*': 'that of COMMAND; 128 and the number of a signal that ended it' },
} as const

type CommandName = keyof typeof EXIT_CODES

/** What a command may return: 0, and the codes that it declares. Others come of what it throws. */
export type ExitCode<Name extends CommandName> = Name extends CommandName
  ? 0 | keyof (typeof EXIT_CODES)[Name]
  : never

/** The commands of a group, such as those of `root-key`. */
export type CommandOf<Group extends string> = Extract<CommandName, `${Group} ${string}`>
