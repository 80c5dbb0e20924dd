import type { Activity } from '../../../trusted/catalogue/activity.ts'
import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import { codeBlock } from './blocks.ts'
import type { DeclaredFailure } from './declared-failures.ts'
import { remedies } from './remedies.ts'

/** The page of errors: every kind of failure with its code, its message and its remedy. */
export function errorsPage(failures: readonly DeclaredFailure[], activities: readonly Activity[]): string {
  const metBy = new Map<string, string[]>()
  for (const { operation, fails } of activities)
    for (const kind of new Set(fails.map((failure) => failure.kind)))
      metBy.set(kind, [...(metBy.get(kind) ?? []), operation])
  return markdownPage([
    '# Errors',
    'Derived by `npm run derive` from the declarations in `src`.',
    'An error is answered with an HTTP status and a JSON body: `code` (a status code of gRPC), `message`, `details` (a list), and for some errors `turnkeyErrorCode`. For example:',
    codeBlock(EXAMPLE),
    'Some errors come from the [auth proxy](../decisions/auth-proxy.md) or from the emulator alone. The names of the kinds below are not in the answer. Search this page for the words of the message. `<name>` stands for a value of the request.',
    'A request that policies refuse is answered 403 and leaves a record with the status `ACTIVITY_STATUS_FAILED`. A request that is malformed, unauthenticated or stale leaves no record. After 500 or 503, or without an answer, the request may have taken effect: the same bytes, sent again, are answered with what came of them and take effect once at most. The answer 500 names an incident, under which the log of the service says more.',
    statusTable(),
    '## Errors of every request',
    'Every request can meet these, whatever it asks for:',
    OF_EVERY_REQUEST.map((kind) => `- ${linkTo(kind, failures)}`).join('\n'),
    '## Every kind',
    ...failures.flatMap((failure) => kindSection(failure, metBy.get(failure.kind) ?? [])),
  ])
}

const EXAMPLE = {
  code: 5,
  message: 'no organization found with the given ID: 0198c5a0-7d3c-7000-8000-000000000001',
  details: [
    {
      '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail',
      turnkeyErrorCode: 'ORGANIZATION_NOT_FOUND',
    },
  ],
  turnkeyErrorCode: 'ORGANIZATION_NOT_FOUND',
}

/** Failures of an envelope, a stamp, a limit or an outage, for every operation. */
const OF_EVERY_REQUEST = [
  'badRequestBody',
  'bodyTooLarge',
  'bodyCutOff',
  'bodyInPieces',
  'tooManyBodies',
  'clientGone',
  'writtenElsewhere',
  'compressedBody',
  'severalHosts',
  'noSuchOperation',
  'twoSlashes',
  'methodNotAllowed',
  'notOffered',
  'invalidField',
  'spelledTwice',
  'unknownActivityType',
  'wrongOperation',
  'malformedOrganizationId',
  'organizationNotFound',
  'stampMissing',
  'moreThanOneStamp',
  'stampMalformed',
  'stampNotAccepted',
  'apiKeyStampUnreadable',
  'apiKeySignatureNotVerified',
  'webauthnStampUnreadable',
  'webauthnSignatureNotVerified',
  'attestedStampUnreadable',
  'attestedSignatureNotVerified',
  'attestationNotFound',
  'readOnlySessionNotAccepted',
  'readOnlySessionExpired',
  'publicKeyNotFound',
  'authenticatorNotFound',
  'ambiguousCredential',
  'userNotVerified',
  'apiKeyExpired',
  'addressNotAllowed',
  'recoveryKeyOnlyRecovers',
  'requestNotLive',
  'requestForgotten',
  'requestBeforeRestore',
  'requestTooCostly',
  'tooManyMeters',
  'notAllowed',
  'organizationTooLarge',
  'tooManyRequests',
  'unavailable',
]

function linkTo(kind: string, failures: readonly DeclaredFailure[]): string {
  const declared = failures.find((failure) => failure.kind === kind)
  if (declared === undefined) throw new Error(`${kind} is not declared`)
  return `[\`${kind}\`](#${kind.toLowerCase()}): ${declared.status}`
}

function statusTable(): string {
  const lines = Object.entries(MEANINGS).map(([status, meaning]) => `| ${status} | ${meaning} |`)
  return ['| HTTP | Meaning |', '|---|---|', ...lines].join('\n')
}

const MEANINGS = {
  400: 'The request is malformed, or its object is in no state for the operation. Correct the request.',
  401: 'The stamp is missing, does not verify, or belongs to no known credential. Sign the exact bytes again.',
  403: 'The organization does not allow the request. Ask an administrator for a policy or an approval.',
  404: 'Something that the request names does not exist.',
  409: 'The object exists already.',
  429: 'A limit is reached. Wait, or delete what is not needed.',
  500: 'A fault of the service. Report the incident to the operator.',
  405: 'The path needs another method.',
  501: 'The operation is not offered here.',
  503: 'The service is temporarily unavailable. Send the same bytes again after the seconds of `Retry-After`.',
}

const OPERATIONS_NAMED_MAX = 8

function kindSection(failure: DeclaredFailure, operations: readonly string[]): readonly string[] {
  const { kind, code, codeName, status, errorCode, texts } = failure
  const remedy = remedies[kind]
  if (remedy === undefined) throw new Error(`${kind} has no remedy in src/host/cli/derived/remedies.ts`)
  const named = operations.map((operation) => `[${operation}](operations/${operation}.md)`)
  return [
    `### ${kind}`,
    ['```text', ...texts, '```'].join('\n'),
    `HTTP ${status}, code ${code} (\`${codeName}\`)${errorCode === undefined ? '' : `, \`turnkeyErrorCode\` \`${errorCode}\``}. ${remedy}`,
    ...(named.length === 0 || named.length > OPERATIONS_NAMED_MAX ? [] : [`Met by ${named.join(', ')}.`]),
  ]
}
