import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { LOADING } from './loading.ts'

// Run by `test/run.ts`: the test files that it names, in one process, one after the other. What a file wants done after
// its tests is forgotten where those before it have all ended while it was loading: so of several none ends until all
// have been loaded.
const files = process.argv.slice(2)
const loaded = loadAll()
if (files.length > 1) test(LOADING, async () => await loaded)
else await loaded

async function loadAll(): Promise<void> {
  for (const file of files) await import(pathToFileURL(file).href)
}
