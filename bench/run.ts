// npm run bench [-- OPTION …]: measurements by hand. `npm run bench -- --help` lists them.

/** By the first option of each: its module, and what it measures. */
const RUNS: Readonly<Record<string, readonly [module: string, measures: string]>> = {
  '--starting': ['./starting.ts', 'from start to ready, of the clone and of the package'],
  '--logins': ['./logins.ts', 'logins with one-time codes'],
  '--webhooks': ['./deliveries.ts', 'signing beside slow deliveries'],
  '--copies': [
    './copies.ts',
    'backup and verify among a million activities, and signing beside a backup [--limits]',
  ],
  '--against': [
    './against.ts',
    '<commit>: this checkout and that one in turn [--rounds 8 --embedded --only <part>]',
  ],
  '--beside': [
    './against.ts',
    'express=<folder> | openbao=<program>: the same beside another program, in turn',
  ],
  '--with': [
    './against.ts',
    'CLAVIGER_AUDIT=/tmp/audit.log: this checkout with a setting and without, in turn',
  ],
  '--hostile': ['./hostile.ts', 'a quiet tenant beside one that sends only expensive requests'],
  '--dear': ['./dear.ts', "how long each expensive request holds the vault's thread"],
  '--policies': ['./policies.ts', 'decisions by policies'],
  '--transactions': ['./transactions.ts', 'signing under policies [--quick]'],
}

if (process.argv.includes('--help')) {
  console.log('(none)  raw signatures, at full speed and at a pace [--quick --scale --million --embedded]')
  for (const [option, [, measures]] of Object.entries(RUNS)) console.log(`${option}  ${measures}`)
} else {
  const [, [module]] = Object.entries(RUNS).find(([option]) => process.argv.includes(option)) ?? [
    '',
    ['./signing.ts'],
  ]
  await import(module)
}
