import { type Config, readConfig } from '../app/config.ts'
import { keepCompiled } from './keep-compiled.ts'

/** All commands by their first word. Each is imported when it runs, so no command loads the code of others. */
export const commands: { readonly [name: string]: (args: readonly string[]) => Promise<number> } = {
  dev: async (args) => await (await import('./dev.ts')).dev(config({ isServed: true }), args),
  init: async (args) => await (await import('./init.ts')).init(config(), args),
  serve: async (args) => await (await import('./serve.ts')).serve(config({ isServed: true }), args),
  vault: async (args) => await (await import('./vault.ts')).vault(config(), args),
  console: async (args) => await (await import('./console.ts')).consoleCommand(args),
  doctor: async (args) => await (await import('./doctor.ts')).doctor(process.env, process.cwd(), args),
  verify: async (args) => await (await import('./verify.ts')).verify(config(), args),
  backup: async (args) => await (await import('./backup.ts')).backup(config(), args),
  archive: async (args) => await (await import('./archive.ts')).archive(config(), args),
  organization: async (args) => await (await import('./organization.ts')).organization(config(), args),
  user: async (args) => await (await import('./user.ts')).user(config(), args),
  restore: async (args) => await (await import('./restore.ts')).restore(config(), args),
  upgrade: async (args) => await (await import('./upgrade.ts')).upgrade(config(), args),
  move: async (args) => await (await import('./move.ts')).move(config(), args),
  emulate: async (args) => {
    keepCompiled()
    return await (await import('./emulate.ts')).emulate(process.env, args)
  },
  mcp: async (args) => await (await import('./mcp.ts')).mcp(args),
  policies: async (args) => await (await import('./policies.ts')).policies(args),
  approve: async (args) => await (await import('./approve.ts')).approve(args),
  secret: async (args) => await (await import('./secret.ts')).secret(args),
  agent: async (args) => await (await import('./agent.ts')).agent(args),
  'root-key': async (args) => await (await import('./root-key.ts')).rootKey(config(), args),
  recovery: async (args) => await (await import('./recovery.ts')).recovery(config(), args),
  unseal: async (args) => await (await import('./unseal.ts')).unsealCommand(process.env, process.cwd(), args),
  'service-key': async (args) => await (await import('./service-key.ts')).serviceKey(config(), args),
  quota: async (args) => await (await import('./quota.ts')).quota(config(), args),
  webhooks: async (args) => await (await import('./webhooks.ts')).webhooks(config(), args),
  version: async (args) => (await import('./version.ts')).version(args),
}

function config(of?: { readonly isServed: boolean }): Config {
  return readConfig(process.env, process.cwd(), of)
}
