// Loaded before a command (`--import`): the process kills itself at a numbered point, such as `rename:1`, before the
// first file is renamed. Of a write to a file the first half is done. Without a point, all that was passed is counted
// into a file.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'
import type { KillPoint } from './killed-command.ts'

const { KILL_AT, KILL_COUNT_FILE } = process.env
const passed = { write: 0, rename: 0, database: 0 }

function pass(point: KillPoint, half: () => void = () => {}): void {
  passed[point] += 1
  if (`${point}:${passed[point]}` !== KILL_AT) return
  half()
  process.kill(process.pid, 'SIGKILL')
  // The signal comes from the kernel, at once or shortly after.
  for (;;);
}

type Method = (...args: unknown[]) => unknown

/** Has something run before each call of a method, with its arguments. */
function watch(of: object, name: string, before: (args: readonly unknown[], self: object) => void): void {
  // It is a method of that object: where it is not, the next line says so.
  const methods = of as { [name: string]: Method }
  const own = methods[name]
  if (own === undefined) throw new Error(`there is no ${name}`)
  methods[name] = function (this: object, ...args: unknown[]): unknown {
    before(args, this)
    return own.apply(this, args)
  }
}

const CHANGES = /^\s*(INSERT|UPDATE|DELETE|COMMIT)/i

function passChange(sql: unknown): void {
  if (CHANGES.test(String(sql))) pass('database')
}

// Of its own processes the command is the only one: the vault gets no environment.
if (process.argv[1]?.endsWith('claviger.js') === true) {
  const { writeSync } = fs
  const halfOf = (file: unknown, bytes: unknown) => () => {
    if (bytes instanceof Uint8Array) writeSync(Number(file), bytes.subarray(0, bytes.length / 2))
    else writeSync(Number(file), String(bytes).slice(0, String(bytes).length / 2))
  }
  watch(fs, 'renameSync', () => pass('rename'))
  watch(fs, 'linkSync', () => pass('rename'))
  watch(fs, 'writeSync', ([file, bytes]) => pass('write', halfOf(file, bytes)))
  // A whole text to a file that is open.
  watch(fs, 'writeFileSync', ([file, text]) => {
    if (typeof file === 'number') pass('write', halfOf(file, text))
  })
  // Streams write with these two.
  watch(fs, 'write', ([file, bytes]) => pass('write', halfOf(file, bytes)))
  watch(fs, 'writev', ([file, parts]) =>
    pass('write', halfOf(file, Array.isArray(parts) ? parts[0] : undefined)),
  )
  syncBuiltinESMExports()
  watch(DatabaseSync.prototype, 'exec', ([sql]) => passChange(sql))
  const sqlOf = new WeakMap<object, string>()
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql)
    sqlOf.set(statement, sql)
    return statement
  }
  watch(StatementSync.prototype, 'run', (_, statement) => passChange(sqlOf.get(statement)))
  watch(pg.Client.prototype, 'query', ([query]) => {
    // A statement is a text, or has one.
    passChange(typeof query === 'string' ? query : (query as { readonly text?: string } | null)?.text)
  })
  if (KILL_COUNT_FILE !== undefined)
    process.on('exit', () => fs.writeFileSync(KILL_COUNT_FILE, JSON.stringify(passed)))
}
