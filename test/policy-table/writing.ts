import assert from 'node:assert/strict'
import { createsPolicy } from './asks.ts'
import { type Row, shown } from './row.ts'

/** Rows 58 to 60, 63 and 66: policies that are refused when they are written. */
export const rowsOfWriting = [
  refused(58, 'a field that an account does not have', {
    terms: { condition: "wallet_account.path == 'x'" },
    message: /^invalid policy condition: .*field does not exist: path/,
  }),
  refused(59, 'a text in double quotes', {
    terms: { condition: 'eth.tx.to == "0x1"' },
    message: /^invalid policy condition: .*parse error: /,
  }),
  refused(60, 'an empty consensus', {
    terms: { consensus: '' },
    message: /^invalid policy consensus: .*Unrecognized EOF found at 0$/,
  }),
  refused(63, 'a moment that is not in UTC', {
    terms: { time: "time.now > Timestamp('2026-01-01T00:00:00-05:00')" },
    message: /^invalid policy time: .*'2026-01-01T00:00:00-05:00'/,
  }),
  refused(66, 'a cron expression with steps', {
    terms: { time: "CronSpan('*/5 * * * *','1h','UTC')" },
    message: /^invalid policy time: .*'\*\/5 \* \* \* \*'/,
  }),
  refused(66, 'a span of more than a week', {
    terms: { time: "CronSpan('5 * * * *','8d','UTC')" },
    message: /^invalid policy time: .*'8d'/,
  }),
]

function refused(
  row: number,
  what: string,
  { terms, message }: { readonly terms: object; readonly message: RegExp },
): Row {
  return shown(row, `${what} is refused in a policy, also from the root quorum`, async ({ service, R }) => {
    const { type, parameters } = createsPolicy(terms)
    const { status, json } = await service.submit(R, type, parameters)
    assert.deepEqual([status, json.code], [400, 3])
    assert.match(json.message, message)
    assert.deepEqual((await service.query(R, 'list_policies')).json.policies, [])
  })
}
