import { resolve } from 'node:path'
import { postgresDefaults } from '../../store/postgres/defaults.ts'
import { hasPassword } from '../../store/postgres/address.ts'
import { readAuthProxyFile } from '../auth-proxy-file.ts'
import { auditedReads, auditTarget } from './audit-formats.ts'
import { databaseUrl } from './database-url.ts'
import { domains, mailbox, matching, smtpUrl } from './delivery-formats.ts'
import { addressRanges, origins, rateLimits } from './network-formats.ts'
import { KEY_READERS } from '../../../trusted/vault/keys/key-readers.ts'
import {
  absolutePath,
  asItIs,
  flag,
  oneOf,
  onOffOrPort,
  pathOrAddress,
  port,
  seconds,
  wholeNumber,
} from './plain-formats.ts'
import { optionalSetting, setting, together } from './setting.ts'
import { collectorUrl } from './trace-formats.ts'

const CONNECTIONS_MAX = 1_000_000
const DATABASE_CONNECTIONS_MAX = 1_000
const DATABASE_SECONDS_MAX = 3_600

const dataFolder = setting({
  name: 'CLAVIGER_DATA',
  default: '.claviger',
  read: absolutePath,
  meaning: 'folder of the embedded store and the root key',
})

const connectionsMax = setting({
  name: 'CLAVIGER_CONNECTIONS',
  default: '4096',
  read: wholeNumber(1, CONNECTIONS_MAX),
  meaning:
    'the highest number of open connections; fewer where the process has fewer file descriptors ([how idle ones are closed](docs/decisions/connections.md))',
})

/**
 * Every setting, at its place in the configuration. The parser, `claviger help` and `docs/reference/settings.md` follow
 * from it.
 */
export const settings = {
  host: setting({
    name: 'CLAVIGER_HOST',
    default: '127.0.0.1',
    read: asItIs,
    meaning: 'the address at which the service listens',
  }),
  port: setting({
    name: 'CLAVIGER_PORT',
    default: '4400',
    read: port,
    meaning: 'the port at which the service listens',
  }),
  console: setting({
    name: 'CLAVIGER_CONSOLE',
    default: 'on',
    read: onOffOrPort,
    meaning:
      'the pages at `/console/`: `on`, `off`, or a port of their own, which then answers the whole interface too ([how they are served](docs/decisions/console.md))',
  }),
  /** Pages of customers embed them, so they have an origin of their own. Without origins no frame is served. */
  frames: {
    allowedOrigins: setting({
      name: 'CLAVIGER_FRAMES_ORIGINS',
      default: '',
      read: origins,
      meaning:
        'the origins of the pages that may embed the frames for log-in, export, import and signing, separated by commas, such as `https://shop.example`; without any, no frames are served ([frames](docs/how-to/frames.md))',
    }),
    port: setting({
      name: 'CLAVIGER_FRAMES_PORT',
      default: '4402',
      read: port,
      meaning: 'the port at which the frames are served, and nothing else',
    }),
  },
  /** The address for monitoring; without a port it shares the main one. */
  operator: {
    host: setting({
      name: 'CLAVIGER_OPERATOR_HOST',
      default: '127.0.0.1',
      read: asItIs,
      meaning: "the address of the operator's port",
    }),
    port: optionalSetting({
      name: 'CLAVIGER_OPERATOR_PORT',
      read: port,
      meaning:
        'a port of its own for `/metrics`, `/readyz` and `/healthz`; the other port then has `/healthz` alone of these',
    }),
  },
  dataFolder,
  /** Without it the embedded store is used. */
  databaseUrl: optionalSetting({
    name: 'CLAVIGER_DATABASE_URL',
    read: databaseUrl,
    holdsSecret: hasPassword,
    meaning:
      'a `postgres://` address; with it PostgreSQL is the store. Of several hosts, `postgres://user:password@a,b/database`, the service uses the one that accepts writes',
  }),
  /** Without it, lists contain only activities in the store. */
  archives: optionalSetting({
    name: 'CLAVIGER_ARCHIVES',
    read: pathOrAddress,
    meaning:
      'the folder of the archives of past months, or `s3://bucket/prefix`, in which queries continue after the store ([how](docs/how-to/retention.md))',
  }),
  databaseLimits: {
    connectionsMax: setting({
      name: 'CLAVIGER_DATABASE_CONNECTIONS',
      default: String(postgresDefaults.connectionsMax),
      read: wholeNumber(1, DATABASE_CONNECTIONS_MAX),
      meaning: 'connections of each host for units; two more are used for signing and for readiness',
    }),
    listConnectionsMax: setting({
      name: 'CLAVIGER_DATABASE_LIST_CONNECTIONS',
      default: String(postgresDefaults.listConnectionsMax),
      read: wholeNumber(1, DATABASE_CONNECTIONS_MAX),
      meaning: 'connections of each host for lists',
    }),
    connectMs: setting({
      name: 'CLAVIGER_DATABASE_CONNECT_SECONDS',
      default: String(postgresDefaults.connectMs / 1_000),
      read: seconds(1, DATABASE_SECONDS_MAX),
      meaning: 'how long connecting may take',
    }),
    statementMs: setting({
      name: 'CLAVIGER_DATABASE_STATEMENT_SECONDS',
      default: String(postgresDefaults.statementMs / 1_000),
      read: seconds(1, DATABASE_SECONDS_MAX),
      meaning: 'how long a statement may take',
    }),
    listMs: setting({
      name: 'CLAVIGER_DATABASE_LIST_SECONDS',
      default: String(postgresDefaults.listMs / 1_000),
      read: seconds(1, DATABASE_SECONDS_MAX),
      meaning: 'how long a list may take',
    }),
  },
  /** Without it a service starts a vault of its own, as its child. */
  vaultPath: optionalSetting({
    name: 'CLAVIGER_VAULT',
    read: absolutePath,
    meaning:
      'the socket of a vault that runs as another user: `claviger vault` lets hosts connect to it, and other commands connect to it ([how](docs/how-to/vault-of-its-own.md)). The root key is then a setting of the vault alone',
  }),
  rootKeyPath: setting({
    name: 'CLAVIGER_ROOT_KEY',
    default: {
      shown: '`root.key` in the data folder',
      from: (source) => resolve(dataFolder.value(source), 'root.key'),
    },
    read: absolutePath,
    meaning: 'the root key file, mode 0600',
  }),
  rootKeyReaders: setting({
    name: 'CLAVIGER_ROOT_KEY_READERS',
    default: 'owner',
    read: oneOf(KEY_READERS),
    meaning:
      'the users who may read the root key file and the file of its passphrase: `group` also takes mode 0440, with a group of its own, and `all` mode 0444, in a mount that is private to the service',
  }),
  passphrasePath: optionalSetting({
    name: 'CLAVIGER_ROOT_PASSPHRASE_FILE',
    read: absolutePath,
    meaning:
      'a file with the passphrase of a root key that is encrypted (scrypt); `init` encrypts a new one with it',
  }),
  passphrase: optionalSetting({
    name: 'CLAVIGER_ROOT_PASSPHRASE',
    read: asItIs,
    holdsSecret: () => true,
    meaning: 'the passphrase itself, instead of the file',
  }),
  /** The address for the shares of people, if the root key file is sealed by shares. */
  unseal: {
    socketPath: setting({
      name: 'CLAVIGER_UNSEAL_SOCKET',
      default: {
        shown: '`unseal.sock` in the data folder',
        from: (source) => resolve(dataFolder.value(source), 'unseal.sock'),
      },
      read: absolutePath,
      meaning:
        'the Unix socket at which `claviger unseal` submits shares of the root key ([seals](docs/how-to/seals.md))',
    }),
    people: setting({
      name: 'CLAVIGER_UNSEAL_PEOPLE',
      default: 'owner',
      read: oneOf(['owner', 'group']),
      meaning:
        'the users who may connect there: the user of the service (mode 0600), or its group too (mode 0660)',
    }),
  },
  /** The way to a device that seals the root key file. */
  pkcs11: {
    module: optionalSetting({
      name: 'CLAVIGER_PKCS11_MODULE',
      read: absolutePath,
      meaning: 'the library of a PKCS#11 device that seals the root key file',
    }),
    pinPath: optionalSetting({
      name: 'CLAVIGER_PKCS11_PIN_FILE',
      read: absolutePath,
      meaning: 'a file with the PIN of its user',
    }),
  },
  /** The destinations of messages. */
  delivery: {
    /**
     * The operator's mail server, and the sender of mail if a request may not name another; without it no mail is sent.
     */
    mail: together({
      smtpUrl: {
        name: 'CLAVIGER_SMTP_URL',
        read: smtpUrl,
        holdsSecret: (text: string) => URL.canParse(text) && new URL(text).password !== '',
        meaning:
          "the operator's mail server: `smtps://user:password@host` (or `smtp://`, which requires STARTTLS; `?tls=none` for a server on the same machine)",
      },
      from: {
        name: 'CLAVIGER_MAIL_FROM',
        read: mailbox,
        meaning: 'the sender of mail: an address, or `Name <address>`',
      },
    }),
    senderDomains: setting({
      name: 'CLAVIGER_MAIL_DOMAINS',
      default: '',
      read: domains,
      meaning: 'further sender domains that customers may use, separated by commas',
    }),
    /** `from` is a number in E.164, or a messaging service `MG…`. */
    twilio: together({
      accountSid: {
        name: 'CLAVIGER_TWILIO_ACCOUNT_SID',
        read: matching(/^AC[0-9a-fA-F]{32}$/, 'AC and 32 hexadecimal digits'),
        meaning:
          'the account for text messages; without settings for mail or text messages, development shows the messages at `/dev/inbox`',
      },
      authToken: {
        name: 'CLAVIGER_TWILIO_AUTH_TOKEN',
        read: asItIs,
        holdsSecret: () => true,
        meaning: "that account's token",
      },
      from: {
        name: 'CLAVIGER_TWILIO_FROM',
        read: matching(
          /^(\+[1-9]\d{1,14}|MG[0-9a-fA-F]{32})$/,
          'a number such as +15551234567, or a messaging service MG and 32 hexadecimal digits',
        ),
        meaning: 'the sender number of text messages, or a messaging service (`MG…`)',
      },
    }),
    /** Webhooks, issuers and providers may be on private addresses and plain http: for development and tests. */
    allowPrivateTargets: setting({
      name: 'CLAVIGER_ALLOW_PRIVATE_ADDRESSES',
      default: 'false',
      read: flag,
      meaning: 'allows webhooks and issuers at private addresses: for development',
    }),
  },
  authProxy: setting({
    name: 'CLAVIGER_AUTH_PROXY',
    default: { shown: 'none', from: () => [] },
    read: (text, name, source) => readAuthProxyFile(absolutePath(text, name, source), source.problems),
    meaning: 'a file that switches the auth proxy on ([its page](docs/decisions/auth-proxy.md))',
  }),
  trustedProxies: setting({
    name: 'CLAVIGER_TRUSTED_PROXIES',
    default: '',
    read: addressRanges,
    meaning: 'addresses or ranges, separated by commas, whose `X-Forwarded-For` is trusted',
  }),
  /** Undefined if there are none. */
  rateLimits: setting({
    name: 'CLAVIGER_RATE_LIMITS',
    default: 'on',
    read: rateLimits,
    meaning: '`off`, or other numbers ([the limits](docs/decisions/rate-limits.md))',
  }),
  connections: {
    connectionsMax,
    perAddressMax: setting({
      name: 'CLAVIGER_CONNECTIONS_PER_ADDRESS',
      default: {
        shown: 'half of `CLAVIGER_CONNECTIONS`',
        from: (source) => Math.ceil(connectionsMax.value(source) / 2),
      },
      read: wholeNumber(1, CONNECTIONS_MAX),
      meaning: 'the highest number of connections from one address',
    }),
  },
  requestLog: setting({
    name: 'CLAVIGER_REQUEST_LOG',
    default: 'off',
    read: (text, name, source) =>
      text === 'off' || text === 'stdout' ? text : absolutePath(text, name, source),
    meaning:
      'a line of JSON for each request: `off`, `stdout`, or a file ([its fields](docs/reference/request-log.md))',
  }),
  /** Undefined if no traces are sent. */
  traces: setting({
    name: 'CLAVIGER_TRACES',
    default: 'off',
    read: collectorUrl,
    holdsSecret: (text) => text.includes('?'),
    meaning:
      'a collector of OpenTelemetry traces: `off`, or an address such as `http://127.0.0.1:4318/v1/traces` ([how](docs/how-to/monitoring.md))',
  }),
  audit: {
    /** Undefined if there is no stream. */
    target: setting({
      name: 'CLAVIGER_AUDIT',
      default: 'off',
      read: auditTarget,
      holdsSecret: (text) => text.includes('@'),
      meaning:
        'the destination of an event for every activity and refusal: `off`, a file, `https://…`, `syslog+tcp://host:port`, `syslog+tls://host:port` or `syslog+unix:///path` ([the audit stream](docs/reference/audit-stream.md))',
    }),
    /** The organizations whose reads are audited. */
    readsOf: setting({
      name: 'CLAVIGER_AUDIT_READS',
      default: 'none',
      read: auditedReads,
      meaning:
        'the organizations whose queries are reported there too: `none`, `all`, or their IDs, separated by commas',
    }),
  },
  /** The time for which the service continues after the signal to stop, so that balancers notice. */
  drainMs: setting({
    name: 'CLAVIGER_DRAIN_SECONDS',
    default: '5',
    read: seconds(0, 600),
    meaning:
      'how long the service keeps running after SIGTERM; choose a longer time than your load balancer needs to notice `/readyz`',
  }),
  allowSlowSecp256k1: setting({
    name: 'CLAVIGER_ALLOW_SLOW_SECP256K1',
    default: 'false',
    read: flag,
    meaning:
      'lets `serve` run without the native library, as on Linux arm64 before it has been built ([one step](docs/decisions/dependencies.md))',
  }),
  /** The file is opened before any setting is read (`settings-source.ts`). */
  configPath: optionalSetting({
    name: 'CLAVIGER_CONFIG',
    read: asItIs,
    meaning: 'a file of `NAME=value` lines with more settings; the environment takes precedence',
  }),
}
