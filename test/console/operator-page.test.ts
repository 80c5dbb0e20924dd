import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request } from 'node:http'
import { aSetting } from '../clients/setting.ts'
import { eventsIn } from '../support/running-service.ts'
import { chromiumAvailable, chromiumMissing, openChromium } from '../support/chromium.ts'
import { assertAccessible } from './accessible.ts'
import { takePictures } from './pictures.ts'
import { watchForTrouble } from './watched-page.ts'

const setting = await aSetting({ CLAVIGER_OPERATOR_PORT: '0' })
const { service, root, subOrganization } = setting
after(() => service.kill())
const operator = String(eventsIn(service.output(), 'listening')[0]?.['operator'])

test('an operator reads of the host, and of no organization', async () => {
  await subOrganization('Secret customer', ['Ada Lovelace'])
  const text = await (await fetch(`${operator}/status`)).text()
  for (const expected of [
    'It accepts requests.',
    '<dt>Version</dt><dd>claviger ',
    '<dt>Vault</dt><dd>answers</dd>',
    '<dt>Version of the root key that seals</dt><dd>',
    '<dt>Store</dt><dd>sqlite</dd>',
    '<dt>Webhooks</dt><dd>0 waiting, 0 given up</dd>',
  ])
    assert.ok(text.includes(expected), `${expected}\n${text}`)
  assert.match(text, /<dt>Size of the store<\/dt><dd>[\d.,]+ MB<\/dd>/)
  assert.doesNotMatch(text, /Secret customer|Ada|Development/)
  assert.ok(!text.includes(root.organizationId))
  const german = await fetch(`${operator}/status`, { headers: { 'accept-language': 'de-DE,de;q=0.9' } })
  assert.match(await german.text(), /<html lang="de">[^]*Er nimmt Anfragen an\./)
})

test('the port of the interface has no such page, and neither a foreign page nor a turned name reads it', async () => {
  for (const path of ['/status', '/status.css'])
    assert.equal((await fetch(`${service.url}${path}`)).status, 404, path)
  const { hostname, port } = new URL(operator)
  const statusOf = (headers: { readonly [name: string]: string }): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request({ hostname, port, path: '/status', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject).end()
    })
  assert.equal(await statusOf({ host: `localhost:${port}` }), 200)
  assert.equal(await statusOf({ host: `rebound.example:${port}` }), 403)
  assert.equal(await statusOf({ 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await statusOf({ origin: 'https://evil.example' }), 403)
})

test('the page of the operator is read in a browser', {
  skip: chromiumAvailable() ? false : chromiumMissing,
}, async () => {
  const browser = await openChromium()
  const watched = watchForTrouble(browser)
  const page = await browser.newPage()
  await page.goto(`${operator}/status`)
  await page.getByRole('heading', { name: 'This host of Claviger' }).waitFor()
  await assertAccessible(page)
  await takePictures(page, 'operator')
  // A browser looks for an icon, which this port has not.
  await watched.assertOnly([/404/])
  await browser.close()
})
