import type { CheckedActivity } from '../../approval/checked-activity.ts'
import type { Fact } from '../../approval/fact.ts'
import { quoted, visible } from '../../approval/visible.ts'
import { aligned, printableJson } from '../policies/printable.ts'
import type { HostNames } from './host-names.ts'
import type { ExitCode } from '../exit-codes.ts'

/** The text before an approval: the words, the dangers, every value, and, separately, the statements of the host. */
export function approvalText(checked: CheckedActivity, names: HostNames): string {
  const { words, fingerprint, refusals } = checked
  const summary = [
    words.sentence,
    ...words.dangers.map((danger) => `  DANGER      ${danger}`),
    ...words.unknowable.map((what) => `  UNKNOWABLE  ${what}`),
    ...refusals.map((why) => `  REFUSED     ${why}`),
  ]
  const values = [
    'What the bytes of the request say:',
    ...aligned(words.facts.map((fact) => [`  ${fact.label}`, shownValue(fact)])),
    '',
    'What the server says, which nothing here proves:',
    ...hostLines(checked, names).map((line) => `  ${line}`),
    '',
  ]
  const rows = values.reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsMax(line) / ROW)), 0)
  return [
    ...summary,
    '',
    ...values,
    // Repeated where it is no longer on the screen.
    ...(rows > SCREEN ? [...summary, ''] : []),
    stampLine(checked),
    `Digits of the request, computed here: ${fingerprint.digits}`,
    '',
  ].join('\n')
}

/** The least that a terminal shows. */
const [ROW, SCREEN] = [80, 24]

/** A letter of two columns, such as a Chinese one, has two bytes in UTF-8 at least. */
function columnsMax(line: string): number {
  return Buffer.byteLength(line)
}

function shownValue({ value, tone }: Fact): string {
  if (tone === 'unknowable') return `${value}  <- nothing can be known of it`
  return tone === 'danger' ? `${value}  <- danger` : value
}

function stampLine({ stamp }: CheckedActivity): string {
  switch (stamp.kind) {
    case 'verified':
      return `The stamp over these bytes is verified here: ${stamp.key}`
    case 'wrong':
      return 'The stamp is NOT over these bytes.'
    case 'unknown':
      return 'The stamp cannot be verified here.'
  }
}

function hostLines({ words, host }: CheckedActivity, names: HostNames): readonly string[] {
  const called = (id: string): string => {
    const name = names.nameOf(id)
    // A user or a policy may be called what looks like the id of another one.
    return name === undefined ? visible(id) : `${quoted(name)} (${visible(id)})`
  }
  return [
    `asked by ${called(host.askerId)}`,
    `status: ${visible(host.status)}`,
    ...host.votes.slice(1).map(({ userId, selection }) => `${visible(selection)} by ${called(userId)}`),
    ...names.voters.map((userId) => `the approval of ${called(userId)} would count`),
    ...namedIn(words.facts).flatMap((id) => {
      const present = names.presentOf(id)
      const now = present === undefined ? '' : `; it is now: ${present}`
      return names.nameOf(id) === undefined ? [] : [`the request names ${called(id)}${now}`]
    }),
    ...names.policyIds.map((policyId) => `the policy ${called(policyId)} waits`),
  ]
}

function namedIn(facts: readonly Fact[]): readonly string[] {
  return [...new Set(facts.flatMap(({ nameable }) => nameable ?? []))]
}

/** The outcome, and the exit code. */
export type Outcome = { readonly code: ExitCode<'approve'>; readonly says: string }

/** The same for programs. */
export function approvalJson(checked: CheckedActivity, names: HostNames, outcome: Outcome): string {
  const { words, fingerprint, stamp, refusals, host } = checked
  const { sentence, facts, dangers, unknowable } = words
  const told = {
    sentence,
    digits: fingerprint.digits,
    fingerprint: fingerprint.text,
    facts: facts.map(({ label, value }) => ({ label, value })),
    dangers,
    unknowable,
    refusals,
    stamp,
    hostSays: { ...host, voters: names.voters, waitingPolicyIds: names.policyIds },
    outcome: outcome.says,
    voted: outcome.code === 0,
  }
  return `${printableJson(told, 2)}\n`
}
