import { pathToFileURL } from 'node:url'

// Run by `test/run.ts`: the test files that it names, in one process, one after the other.
for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href)
