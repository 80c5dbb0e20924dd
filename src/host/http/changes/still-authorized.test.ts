import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { test } from 'node:test'
import { aService } from '../../../../test/support/service.ts'
import { stampWith } from '../../../../test/support/stamper.ts'
import { serve } from '../../../trusted/vault/serve.ts'
import { vaultLink } from '../../link/vault-link.ts'
import { CharterCache } from '../../pipeline/charter-cache.ts'
import { refusalNow } from './still-authorized.ts'

test('a stream goes on where the charter in the cache is one that was changed in the database for a while', async (t) => {
  const { store, vault, root, organizationId, close } = await aService()
  t.after(close)
  const [hostEnd, vaultEnd] = duplexPair()
  serve(vault, vaultEnd)
  const link = vaultLink(hostEnd)
  link.ready.catch(() => undefined)
  t.after(link.close)

  let isChanged = true
  const charters = new CharterCache({
    ...store,
    charter: async (id) => {
      const row = await store.charter(id)
      return row === undefined || !isChanged ? row : { ...row, body: `${row.body} ` }
    },
  })
  const body = JSON.stringify({ organizationId })
  const asked = { body, stamp: { xStamp: stampWith(root.key, body).stampHeaderValue } }
  const refusal = () => refusalNow({ charters, vault: link.vault }, asked, organizationId)
  await assert.rejects(refusal(), /does not carry the vault's seal/)
  isChanged = false
  assert.equal(await refusal(), undefined)
})
