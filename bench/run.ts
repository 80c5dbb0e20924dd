// npm run bench: raw signatures, as fast as they go and at a pace [-- --quick --scale --million --embedded];
// npm run bench -- --starting: from start to ready, of the clone and of the package;
// npm run bench -- --logins: logins with one-time codes; npm run bench -- --webhooks: signing beside slow deliveries;
// npm run bench -- --against <commit>: this checkout and that one in turn, with raw crypto [--rounds 8 --embedded --only <part>];
// npm run bench -- --beside express=<folder> --beside openbao=<program>: the same beside other programs, in turn;
// npm run bench -- --with CLAVIGER_AUDIT=/tmp/audit.log: this checkout with a setting and without, in turn;
// npm run bench -- --copies: backup and verify among a million activities, and signing beside a backup [--limits];
// npm run bench -- --hostile: a quiet tenant beside one that asks for all that is dear;
// npm run bench -- --dear: how long each dear request holds the vault's thread;
// npm run bench -- --policies: decisions by policies; npm run bench -- --transactions: signing under them [--quick].
if (process.argv.includes('--logins')) await import('./logins.ts')
else if (process.argv.includes('--starting')) await import('./starting.ts')
else if (process.argv.includes('--webhooks')) await import('./deliveries.ts')
else if (process.argv.includes('--copies')) await import('./copies.ts')
else if (['--against', '--beside', '--with'].some((option) => process.argv.includes(option)))
  await import('./against.ts')
else if (process.argv.includes('--hostile')) await import('./hostile.ts')
else if (process.argv.includes('--dear')) await import('./dear.ts')
else if (process.argv.includes('--policies')) await import('./policies.ts')
else if (process.argv.includes('--transactions')) await import('./transactions.ts')
else await import('./signing.ts')
