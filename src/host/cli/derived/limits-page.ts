import { limits } from '../../../trusted/charter/limits.ts'
import { markdownPage } from '../../../trusted/catalogue/markdown-page.ts'
import { rateLimitDefaults } from '../../http/rate-limits.ts'
import type { Constants } from './constants.ts'

/** The page of limits. Every number comes from the constant in the code. */
export function limitsPage(constants: Constants): string {
  const of = (path: string, name: string): number => constants.number(path, name)
  const { address, proxy, credential, organization, contact } = rateLimitDefaults
  const burst = of('src/host/http/rate-limits.ts', 'BURST_SECONDS')
  const proxyBurst = of('src/host/http/rate-limits.ts', 'PROXY_BURST_SECONDS')
  const perRequest = of('src/host/http/rate-limits.ts', 'UNITS_PER_REQUEST')
  return markdownPage([
    '# Limits',
    'Derived by `npm run derive` from the constants of the code. The page of each operation has the lengths of its texts and lists.',
    '## A request',
    table([
      ['Body', bytes(of('src/host/http/server.ts', 'BODY_BYTES_MAX'))],
      ['Values in a body', count(of('src/trusted/base/strict-json.ts', 'VALUES_MAX'))],
      ['Age of `timestampMs`', duration(of('src/trusted/vault/memory/request-age.ts', 'AGE_MAX_MS'))],
      [
        '`timestampMs` ahead of the clock',
        duration(of('src/trusted/vault/memory/request-age.ts', 'AHEAD_MAX_MS')),
      ],
      [
        'Work',
        `${count(of('src/trusted/base/work.ts', 'REQUEST_COST_MAX'))} units; a signature is some 500 ([cost](../decisions/cost-of-requests.md))`,
      ],
      [
        'Work before the stamp is verified',
        `${count(of('src/trusted/base/work.ts', 'UNPROVEN_COST_MAX'))} units`,
      ],
      [
        'Payloads in one `sign_raw_payloads`',
        `${count(of('src/trusted/activities/signing/sign-raw-payloads.ts', 'PAYLOADS_MAX'))}; ${count(of('src/trusted/activities/signing/sign-raw-payloads.ts', 'SCHNORR_PAYLOADS_MAX'))} with Schnorr`,
      ],
      [
        'A payload',
        `${count(of('src/trusted/activities/signing/sign-raw-payload.ts', 'PAYLOAD_CHARACTERS_MAX'))} characters`,
      ],
      [
        'A transaction',
        `${count(of('src/trusted/activities/signing/sign-transaction.ts', 'TRANSACTION_CHARACTERS_MAX'))} characters`,
      ],
      [
        'Accounts added in one request',
        count(of('src/trusted/activities/wallets/new-accounts.ts', 'ACCOUNTS_AT_ONCE_MAX')),
      ],
      [
        'Private keys made in one request',
        count(of('src/trusted/activities/private-keys/new-private-key.ts', 'PRIVATE_KEYS_AT_ONCE_MAX')),
      ],
    ]),
    '## Rates',
    'Each host counts for itself. `CLAVIGER_RATE_LIMITS` changes or switches off each by its name ([how they are counted](../decisions/rate-limits.md)).',
    [
      '| Name | Counted | At once | Then |',
      '|---|---|---|---|',
      `| \`address\` | requests from an address (IPv6: from a network of 64 bits) | ${count(address * burst)} | ${count(address)} a second |`,
      `| \`proxy\` | calls of the auth proxy from an address | ${count(proxy * proxyBurst)} | ${count(proxy)} a second |`,
      `| \`credential\` | requests that an API key or passkey has proven | ${count(credential * burst)} | ${count(credential)} a second |`,
      `| \`organization\` | proven requests to an organization | ${count(organization * burst)} | ${count(organization)} a second |`,
      `| \`contact\` | messages to one mailbox or number | ${count(contact)} | ${count(contact)} an hour |`,
    ].join('\n'),
    `A request with a cost of more than ${count(perRequest)} units counts as several: one for each ${count(perRequest)}.`,
    '## An organization',
    'There is no limit on private keys, accounts of a wallet, secrets, activities and sub-organizations,\nunless the operator sets [quotas](../how-to/quotas.md).',
    table(Object.entries(limits).map(([name, max]) => [words(name), count(max)] as const)),
    table([
      [
        'All users, credentials, policies and settings together',
        `${count(of('src/trusted/vault/failures.ts', 'CHARTER_CHARACTERS_MAX'))} characters`,
      ],
      [
        'IP rules of a list, for IPv4 and for IPv6',
        count(of('src/trusted/charter/ip-allowlist.ts', 'IP_RULES_PER_FAMILY_MAX')),
      ],
    ]),
    '## Policies',
    table([
      [
        'Text of a condition or a consensus',
        `${count(of('src/trusted/policy/limits.ts', 'SOURCE_LENGTH_MAX'))} characters`,
      ],
      ['Parts of an expression', count(of('src/trusted/policy/limits.ts', 'PARTS_MAX'))],
      ['Depth of an expression', count(of('src/trusted/policy/limits.ts', 'DEPTH_MAX'))],
      ['Steps of one policy', count(of('src/trusted/policy/limits.ts', 'STEPS_MAX'))],
      ['Steps of a decision', count(of('src/trusted/policy/limits.ts', 'DECISION_STEPS_MAX'))],
      ['Usages in one condition', count(of('src/trusted/policy/limits.ts', 'USAGES_MAX'))],
      ['Window of a usage', '31 days'],
    ]),
    '## Lifetimes',
    table([
      [
        'A session, by default',
        duration(of('src/trusted/activities/sessions/session-key.ts', 'SESSION_SECONDS_DEFAULT') * 1000),
      ],
      [
        'A one-time code, by default',
        duration(of('src/trusted/activities/otp/issue-code.ts', 'CODE_SECONDS_DEFAULT') * 1000),
      ],
      [
        'A one-time code, at most',
        duration(of('src/trusted/activities/otp/init-params.ts', 'CODE_SECONDS_MAX') * 1000),
      ],
      [
        'A verification token, by default',
        duration(of('src/trusted/activities/otp/verify-otp.ts', 'TOKEN_SECONDS_DEFAULT') * 1000),
      ],
      [
        'A verification token, at most',
        duration(of('src/trusted/activities/otp/verify-otp.ts', 'TOKEN_SECONDS_MAX') * 1000),
      ],
      [
        'A target key for the import of a secret',
        duration(of('src/trusted/objects/secret-target.ts', 'GOOD_FOR_MS')),
      ],
      [
        'An activity that waits, since its last vote',
        duration(of('src/trusted/vault/records/votes.ts', 'WAITS_MAX_MS')),
      ],
      [
        'A repeated request gets the first answer',
        duration(of('src/trusted/vault/memory/request-age.ts', 'AGE_MAX_MS')),
      ],
    ]),
    '## Deliveries',
    table([
      ['An attempt at a webhook', duration(of('src/host/delivery/webhook-delivery.ts', 'TIMEOUT_MS'))],
      ['Attempts', count(of('src/host/delivery/retry-schedule.ts', 'ATTEMPTS_MAX'))],
      [
        'Time after which a failure is final',
        duration(of('src/host/delivery/retry-schedule.ts', 'PATIENCE_MS')),
      ],
      [
        'Codes for one `userIdentifier`',
        `${count(of('src/trusted/objects/request-rate.ts', 'REQUESTS_MAX'))} in ${duration(of('src/trusted/objects/request-rate.ts', 'WINDOW_MS'))}`,
      ],
    ]),
  ])
}

function table(rows: readonly (readonly [what: string, limit: string])[]): string {
  return ['| What | Limit |', '|---|---|', ...rows.map(([what, limit]) => `| ${what} | ${limit} |`)].join(
    '\n',
  )
}

/** `apiKeysPerUser` is shown as `API keys per user`. */
function words(name: string): string {
  const apart = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const text = apart
    .replace('api keys', 'API keys')
    .replace('oauth', 'OAuth')
    .replace('mfa', 'MFA')
    .replace('ip ', 'IP ')
    .replace('sub organization', 'a sub-organization')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function count(number: number): string {
  return number.toLocaleString('en')
}

function bytes(number: number): string {
  return `${count(number)} bytes`
}

function duration(ms: number): string {
  const [size, unit] = UNITS.find(([one]) => ms % one === 0) ?? [1, 'millisecond']
  const many = ms / size
  return `${count(many)} ${unit}${many === 1 ? '' : 's'}`
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const
