// npm run bench: raw signatures, as fast as they go and at a pace [-- --quick --scale --million --embedded];
// npm run bench -- --logins: logins with one-time codes; npm run bench -- --webhooks: signing beside slow deliveries.
if (process.argv.includes('--logins')) await import('./logins.ts')
else if (process.argv.includes('--webhooks')) await import('./deliveries.ts')
else await import('./signing.ts')
