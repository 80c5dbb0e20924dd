import type { Config } from '../app/config.ts'
import { keepCompiled } from './keep-compiled.ts'

/** All commands by their first word. Each is imported when it runs, so no command loads the code of others. */
export const commands: { readonly [name: string]: (args: readonly string[]) => Promise<number> } = {
  dev: async (args) => await (await import('./dev.ts')).dev(await config({ isServed: true }), args),
  init: async (args) => await (await import('./init.ts')).init(await config(), args),
  serve: async (args) => await (await import('./serve.ts')).serve(await config({ isServed: true }), args),
  vault: async (args) => await (await import('./vault.ts')).vault(await config(), args),
  console: async (args) => await (await import('./console.ts')).consoleCommand(args),
  doctor: async (args) => await (await import('./doctor.ts')).doctor(process.env, process.cwd(), args),
  verify: async (args) => await (await import('./verify.ts')).verify(await config(), args),
  backup: async (args) => await (await import('./backup.ts')).backup(await config(), args),
  archive: async (args) => await (await import('./archive.ts')).archive(await config(), args),
  organization: async (args) => await (await import('./organization.ts')).organization(await config(), args),
  user: async (args) => await (await import('./user.ts')).user(await config(), args),
  restore: async (args) => await (await import('./restore.ts')).restore(await config(), args),
  upgrade: async (args) => await (await import('./upgrade.ts')).upgrade(await config(), args),
  move: async (args) => await (await import('./move.ts')).move(await config(), args),
  emulate: async (args) => {
    keepCompiled()
    return await (await import('./emulate.ts')).emulate(process.env, args)
  },
  mcp: async (args) => await (await import('./mcp.ts')).mcp(args),
  policies: async (args) => await (await import('./policies.ts')).policies(args),
  approve: async (args) => await (await import('./approve.ts')).approve(args),
  secret: async (args) => await (await import('./secret.ts')).secret(args),
  agent: async (args) => await (await import('./agent.ts')).agent(args),
  'root-key': async (args) => await (await import('./root-key.ts')).rootKey(await config(), args),
  recovery: async (args) => await (await import('./recovery.ts')).recovery(await config(), args),
  unseal: async (args) => await (await import('./unseal.ts')).unsealCommand(process.env, process.cwd(), args),
  'service-key': async (args) => await (await import('./service-key.ts')).serviceKey(await config(), args),
  quota: async (args) => await (await import('./quota.ts')).quota(await config(), args),
  webhooks: async (args) => await (await import('./webhooks.ts')).webhooks(await config(), args),
  version: async (args) => (await import('./version.ts')).version(args),
}

async function config(of?: { readonly isServed: boolean }): Promise<Config> {
  const { readConfig } = await import('../app/config.ts')
  return readConfig(process.env, process.cwd(), of)
}
