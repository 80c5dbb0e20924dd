import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../../support/running-service.ts'
import { clone, type Installed } from './packages.ts'
import { runPage } from './run-page.ts'

/** A test for each page, run with this Claviger. */
export function testPages(pattern: string, claviger: Installed = clone): void {
  for (const page of globSync(pattern, { cwd: projectFolder }).toSorted())
    test(`every block of ${page} does what the page says`, async () => {
      const { leftOut } = await runPage(readFileSync(join(projectFolder, page), 'utf8'), claviger)
      if (process.env['CI'] === 'true') assert.deepEqual(leftOut, [], 'CI allows no block to be left out')
      for (const one of leftOut) console.error(`${page}, not run: ${one}`)
    })
}
