import { record } from '../languages/record.ts'

/**
 * Writes down what a client sends: `node bin/with-node.js test/contract/record-bodies.ts <language> <client> <version>
 * <command …>`.
 */
const [language = '', name = '', version = '', program = '', ...args] = process.argv.slice(2)
console.log(await record(language, { name, version }, { program, args, cwd: process.cwd() }))
