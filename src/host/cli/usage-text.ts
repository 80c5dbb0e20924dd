import { commandEntries, withExitCodes } from './command-entries.ts'
import { EVERY_EXIT_CODE } from './exit-codes.ts'
import { settingsHelp } from '../app/settings/settings-pages.ts'

/** The text of `claviger help`. */
export function usageText(): string {
  return `claviger: an open, self-hosted key management service

${COMMANDS}

Exit codes that mean the same for all commands; a command above can give code 1 a closer meaning:
${everyExitCode()}

Settings (default), by the environment or in the file that CLAVIGER_CONFIG names:
${settingsHelp()}
`
}

/** The text of `claviger COMMAND --help`. */
export function helpOf(command: string): string {
  const entries = commandEntries(COMMANDS).filter((entry) => entry.split(/\s+/)[2] === command)
  return `${entries.join('\n')}\n\nExit codes that mean the same for all commands:\n${everyExitCode()}\n\nclaviger help lists all commands and the settings.\n`
}

function everyExitCode(): string {
  return Object.entries(EVERY_EXIT_CODE)
    .map(([code, meaning]) => `  ${code}  ${meaning}`)
    .join('\n')
}

const TEXT = `  claviger dev      start for development: embedded store in ./.claviger, loopback only, everything made at the first start
  claviger init     make the root key (if there is none) and the first organization of a production instance
                      --organization NAME --user NAME --public-key HEX [--curve P256|SECP256K1|ED25519]
                      if there is an organization, it makes nothing; --another makes one more; --json
  claviger serve    start for production, on initialised data; --allow-empty also without an organization
  claviger vault    start the vault as a service under another user; CLAVIGER_VAULT names its socket, to which other commands connect
                      (docs/how-to/vault-of-its-own.md)
  claviger doctor   check configuration, root key, store, disk and the running service, and list problems
                      [--json]
  claviger console  --of URL [--port 0] [--json]
                    serve the console from this machine's own disk, on loopback, for the service at URL
  claviger console verify URL
                    compare the console that a host serves with this version, file by file and header by header (--json)
  claviger verify   check that every row of the data is as it was sealed, and that every index fits its rows; also beside the service
                      [--backup FILE [--identity FILE]…] verifies a backup; [--state FILE] saves the progress, and continues from there
                      [--archives FOLDER] also verifies the archives of this data, and that none is missing; FOLDER or s3://BUCKET/PREFIX
                      [--json] (docs/how-to/backups.md)
  claviger backup   copy all present data into one encrypted file, also beside the service
                      --out FILE [--recipient AGE_RECIPIENT]… [--json]; without a recipient it is encrypted under the root key
  claviger archive make
                    move settled activities of past months from the data into files, one for each month
                      --to FOLDER [--older-than 90d] [--recipient AGE_RECIPIENT --identity FILE]… [--json]; FOLDER or s3://BUCKET/PREFIX
                      a service on the embedded store has to be stopped first (docs/how-to/retention.md)
  claviger archive find
                    list an organization's activities in archives, a line of JSON for each
                      --in FOLDER --organization ID [--activity ID] [--identity FILE]…; FOLDER or s3://BUCKET/PREFIX
  claviger organization export ID
                    copy the data of one organization into one encrypted file, also beside the service; verify --backup reads it
                      --out FILE [--recipient AGE_RECIPIENT]… [--json]
  claviger organization erase ID
                    permanently erase personal data and names in a deleted organization; its records still verify
                      [--json]; a service on the embedded store has to be stopped first (docs/how-to/retention.md)
  claviger user erase --organization ID --user ID
                    permanently erase the data about a deleted user of an existing organization from records, which still verify
                      [--json]; a service on the embedded store has to be stopped first (docs/how-to/retention.md)
  claviger restore  put the data of a backup into an empty store; requests after the backup are not carried out again
                      --from FILE [--identity FILE]… [--lost-at TIME] [--json]
  claviger move     move all data into an empty store of either kind, compare the two, and close the old one
                      --to postgres://… | FOLDER [--json]
  claviger upgrade  --check [--json]
                    check, with the next version, whether it can replace the hosts one after another; it changes nothing
                      (docs/how-to/upgrades.md)
  claviger emulate  start for test suites: in memory, loopback only, every key from a seed (docs/how-to/testing-with-the-emulator.md)
                      [--seed 1] [--port 0] [--clock real|frozen|TIME] [--fixtures treasury|FILE.json] [--strict-time] [--json]
  claviger mcp      serve the Model Context Protocol to an agent, with its key (docs/how-to/agent-over-mcp.md)
                      [--as FILE] over standard input and output; [--http [--port 4480]] on loopback, with a token
  claviger version  print this version (--json)
  claviger root-key make [--json]
                    make the missing root key file, as the user of a separate vault; without one, init makes it
  claviger root-key list | add [--json]
                    list the versions of the root key in the file and at each running host; add one, which seals from then on
  claviger root-key reseal [--no-wait] [--json]
                    reseal the rows of older versions, in the background of the running hosts (docs/how-to/root-key-rotation.md)
  claviger root-key retire VERSION [--json]
                    remove a version from the file, after the vault has counted all rows and found none under it
  claviger root-key rekey --passphrase-file FILE | --seal "NAME PARAMETER=VALUE …"… | --no-passphrase [--json]
                    write the same keys under another passphrase, under one or several seals (docs/decisions/seals.md), or in plain text
  claviger unseal   [--socket PATH] [--share-file FILE] [--json]
                    give one share of the root key to a service that waits for several; it is typed, or read from a file
  claviger recovery create --threshold K --shares N --out FOLDER [--seal "NAME PARAMETER=VALUE …"]… [--json]
                    make shares with which K of N people can recover a root key file that no other seal opens (docs/how-to/recovery.md);
                      --seal: also seal the file again, which ends an earlier recovery
  claviger recovery rehearse [--from COPY] [--json]
                    check that K people, each with claviger unseal, still can: it opens the file, returns no key, and is noted
  claviger recovery use --seal "NAME PARAMETER=VALUE …"… [--from COPY] [--json]
                    recover the root key file under other seals; it is noted, and all root users are told by mail
  claviger recovery create --organization ID --threshold K --shares N --out FOLDER [--delay-hours 72] [--as FILE] [--json]
                    make shares with which K of N people may request new root users of an organization; its root quorum has to agree
                      (docs/how-to/organization-recovery.md)
  claviger recovery rehearse --set FILE [--as FILE] [--json]
                    check that K people can still restore the key of recovery-set.json, each with claviger unseal; it stamps nothing
  claviger recovery begin --set FILE --user NAME=PUBLIC_KEY… [--url URL] [--json]
                    request these root users by K people: all present ones are told now and each day, and any of them can stop it
  claviger recovery complete --set FILE --attempt ID [--url URL] [--json]
                    add them, by K people, after the delay
  claviger recovery stop [--as FILE] [--json]
                    stop it, as any one root user; the set ends with it
  claviger service-key list | add KEY | use KEY | retire KEY VERSION [--json]
                    show a new version of one of the service's own keys, sign with it, end the previous one (docs/how-to/service-keys.md)
  claviger quota set ORGANIZATION | --default [--requests N/day] [--cost N/day] [--messages N/day]
                      [--sub-organization-messages N/day] [--objects N] [--sub-organizations N] [--stored-bytes N]
                      [--json]
                    set the quotas of an organization, or of all without quotas of their own; none removes one (docs/how-to/quotas.md)
  claviger quota list | show ORGANIZATION | remove ORGANIZATION | --default [--json]
                    list all quotas and their use; remove all quotas of one organization
  claviger quota near [--json]
                    list the organizations with a quota that is full or nearly full
  claviger quota recount [ORGANIZATION] [--json]
                    recount the standing amounts of organizations, and correct wrong counts
  claviger webhooks backlog | dead [--after NUMBER] [--json]
                    count the waiting deliveries; list the dead letters with their reasons
  claviger webhooks redeliver NUMBER… | --all-dead | --organization ID --endpoint ID --from TIME --to TIME [--json]
                    deliver again: dead letters, or all events of a time; the endpoint of the older kind is FEATURE_NAME_WEBHOOK
  claviger policies lint POLICIES.json [--guard] [--json]
                    list the doubtful places of these policies; --guard: raw signing has to be granted by name
  claviger policies test TESTS.json [--json]
                    check that policies decide as a file of tests expects (neither command needs a service: docs/policy-tools.md)
  claviger policies try REQUEST.json [--user ID] [--approver ID]… [--draft POLICIES.json [--instead]] [--explain] [--json]
                    show the outcome of a request, and the deciding policy, without carrying it out
  claviger policies replay POLICIES.json [--instead] [--limit NUMBER (1000) | --all] [--json]
                    list the recorded activities that these policies would decide differently
  claviger policies explain ACTIVITY [--json]
                    explain why an activity was allowed or refused, down to each value
                    (these three ask a running service: --as FILE has BASE_URL, ORGANIZATION_ID and the API key, as
                    .claviger/dev.env does, or the environment has)
  claviger approve ACTIVITY [--reject] [--as FILE] [--yes-digits 12345678] [--json]
                    show a waiting activity in words, made here from its bytes; ask, and vote (docs/how-to/approve.md)
  claviger agent create NAME [--template payer|worker|observer|secrets-reader|provisioner] [--as FILE] [--yes]
                      [--chain NAME] [--wallet NAME] [--daily 0.5eth] [--per-transaction 0.1eth] [--to ADDRESS,… [--calls]]
                      [--ask-above USER,…|quorum] [--expires 30d] [--sub-organization] [--json]
                    make a user for a program, with a key of its own: shows its rights, and asks (docs/how-to/agents.md)
  claviger agent list | show NAME | pause NAME | resume NAME | revoke NAME [--as FILE] [--json]
                    list agents; show the rest of its limits; pause, resume or revoke it
  claviger secret run [--as FILE] [NAME | VARIABLE=NAME]… -- COMMAND
                    run a command with secrets in its environment; without names, with all that are marked as the agent's own`

/**
 * A line for each command, with its options, their meaning and its exit codes below it; `docs/reference/cli.md` follows
 * from it too.
 */
export const COMMANDS = commandEntries(TEXT).map(withExitCodes).join('\n')
