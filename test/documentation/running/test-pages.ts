import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../../support/running-service.ts'
import { runPage } from './run-page.ts'

/** A test for each page of a folder. */
export function testPages(folder: string): void {
  for (const page of globSync(`${folder}/*.md`, { cwd: projectFolder }).toSorted())
    test(`every block of ${page} does what the page says`, async () => {
      const { leftOut } = await runPage(readFileSync(join(projectFolder, page), 'utf8'))
      for (const one of leftOut) console.error(`${page}, not run: ${one}`)
    })
}
