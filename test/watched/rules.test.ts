import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkWith } from '../support/check-with.ts'
import { projectFolder, temporaryFolder } from '../support/running-service.ts'
import { pageFile } from '../documentation/programs/page-file.ts'
import { unless } from '../documentation/programs/unless.ts'

// The alerts of the guide and the dashboard, as Prometheus reads them.
const rules = pageFile({ page: 'docs/how-to/monitoring.md', file: 'claviger-rules.yml' })
const dashboard = readFileSync(join(projectFolder, 'examples/monitoring/grafana-dashboard.json'), 'utf8')
const promtool = unless('promtool', 'apt-get install prometheus')

/** What Grafana puts in the place of its variables. */
const expressions = [...dashboard.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
  String(JSON.parse(`"${text}"`)).replaceAll('$instance', '.*'),
)

/** A series for each alert, in which it has to fire, and by when. */
const FIRES: { readonly [alert: string]: { readonly series: readonly string[]; readonly after: string } } = {
  ClavigerDown: { series: [`up{job="claviger",instance="a"}`, '0x60'], after: '5m' },
  ClavigerBug: { series: ['claviger_bugs_total', '0x5 1x60'], after: '10m' },
  ClavigerUnavailable: { series: [`claviger_requests_total{status="503"}`, '0+60x60'], after: '10m' },
  ClavigerSlow: { series: [`claviger_request_seconds_bucket{le="2.5"}`, '0+60x60'], after: '30m' },
  ClavigerLimited: { series: [`claviger_limited_requests_total{kind="address"}`, '0+600x60'], after: '30m' },
  ClavigerAuthenticationFailures: {
    series: [`claviger_authentication_failures_total{error="PUBLIC_KEY_NOT_FOUND"}`, '0+600x60'],
    after: '30m',
  },
  ClavigerDiskFull: { series: ['claviger_free_disk_bytes', '1000000000x60'], after: '10m' },
  ClavigerDeadLetters: { series: [`claviger_deliveries_dead{kind="webhook"}`, '0x5 3x60'], after: '10m' },
  ClavigerDeliveriesLate: {
    series: [`claviger_deliveries_oldest_seconds{kind="email"}`, '1000x60'],
    after: '10m',
  },
  ClavigerQuotaFull: {
    series: [`claviger_quota_organizations{quota="requests",state="full"}`, '2x5 3x60'],
    after: '10m',
  },
}

test(
  'the dashboard and the alerts name metrics that there are, and promtool reads every expression',
  promtool,
  async () => {
    assert.ok(expressions.length > 20)
    const page = readFileSync(join(projectFolder, 'docs/reference/metrics.md'), 'utf8')
    for (const [name] of `${expressions.join(' ')} ${rules}`.matchAll(/\bclaviger_\w+/g))
      assert.ok(page.includes(`\`${name.replace(/_(bucket|sum|count)$/, '')}\``), name)
    const record = (expr: string, at: number) =>
      `      - record: r:${at}\n        expr: ${JSON.stringify(expr)}\n`
    const checked = async (all: readonly string[]) => {
      const folder = temporaryFolder()
      writeFileSync(
        join(folder, 'all.yml'),
        `groups:\n  - name: all\n    rules:\n${all.map(record).join('')}`,
      )
      return await checkWith('promtool', ['check', 'rules', 'all.yml'], folder)
    }
    assert.equal(await checked(expressions), undefined)
    assert.notEqual(await checked([...expressions, 'sum by (']), undefined, 'the check sees a fault')
  },
)

test('each alert fires where it should, and none where all is well', promtool, async () => {
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  assert.deepEqual(names, Object.keys(FIRES))
  // A slow histogram has a faster bucket that takes nothing, and one for all.
  const more = [
    `claviger_request_seconds_bucket{le="1"}`,
    '0x60',
    `claviger_request_seconds_bucket{le="+Inf"}`,
    '0+60x60',
  ]
  for (const [name, { series, after }] of Object.entries(FIRES)) {
    const pairs = name === 'ClavigerSlow' ? [...series, ...more] : series
    assert.equal(await tried({ name, pairs, after, fires: true }), undefined, name)
    assert.notEqual(
      await tried({ name, pairs: ['claviger_build_info', '1x60'], after, fires: true }),
      undefined,
    )
  }
  const well = [
    'up{job="claviger"}',
    '1x60',
    'claviger_bugs_total',
    '1x60',
    'claviger_free_disk_bytes',
    '9e10x60',
    // A quota that is full for good, as one of 0 is, calls nobody.
    `claviger_quota_organizations{quota="objects",state="full"}`,
    '1x60',
  ]
  for (const [name, { after }] of Object.entries(FIRES))
    assert.equal(await tried({ name, pairs: well, after, fires: false }), undefined, name)
})

/** @returns what promtool says is otherwise, of an alert that should fire after this time or should not */
async function tried(of: {
  readonly name: string
  readonly pairs: readonly string[]
  readonly after: string
  readonly fires: boolean
}): Promise<string | undefined> {
  const { name, pairs, after, fires } = of
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'rules.yml'), rules.replaceAll(/^ +annotations:.*\n/gm, ''))
  const series = pairs.flatMap((text, at) =>
    at % 2 === 0 ? [{ series: text, values: pairs[at + 1] ?? '' }] : [],
  )
  const labels = LABELS[name] ?? {}
  const alert = { eval_time: after, alertname: name, exp_alerts: fires ? [{ exp_labels: labels }] : [] }
  // YAML takes JSON.
  const tests = [{ interval: '1m', input_series: series, alert_rule_test: [alert] }]
  writeFileSync(join(folder, 'test.yml'), JSON.stringify({ rule_files: ['rules.yml'], tests }))
  return await checkWith('promtool', ['test', 'rules', 'test.yml'], folder)
}

/** Of the series, where the alert keeps them. */
const LABELS: { readonly [alert: string]: object } = {
  ClavigerDown: { job: 'claviger', instance: 'a' },
  ClavigerLimited: { kind: 'address' },
  ClavigerDeadLetters: { kind: 'webhook' },
  ClavigerDeliveriesLate: { kind: 'email' },
  ClavigerQuotaFull: { quota: 'requests' },
}
