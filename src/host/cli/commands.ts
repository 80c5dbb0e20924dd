import { readConfig } from '../app/config.ts'
import { keepCompiled } from './keep-compiled.ts'

/** All commands by their first word. Each is imported when it runs, so no command loads the code of others. */
export const commands: { readonly [name: string]: (args: readonly string[]) => Promise<number> } = {
  dev: async (args) =>
    await (await import('./dev.ts')).dev(readConfig(process.env, process.cwd(), { isServed: true }), args),
  init: async (args) => await (await import('./init.ts')).init(readConfig(process.env, process.cwd()), args),
  serve: async (args) =>
    await (await import('./serve.ts')).serve(
      readConfig(process.env, process.cwd(), { isServed: true }),
      args,
    ),
  vault: async (args) =>
    await (await import('./vault.ts')).vault(readConfig(process.env, process.cwd()), args),
  console: async (args) => await (await import('./console.ts')).consoleCommand(args),
  doctor: async (args) => await (await import('./doctor.ts')).doctor(process.env, process.cwd(), args),
  verify: async (args) =>
    await (await import('./verify.ts')).verify(readConfig(process.env, process.cwd()), args),
  backup: async (args) =>
    await (await import('./backup.ts')).backup(readConfig(process.env, process.cwd()), args),
  archive: async (args) =>
    await (await import('./archive.ts')).archive(readConfig(process.env, process.cwd()), args),
  organization: async (args) =>
    await (await import('./organization.ts')).organization(readConfig(process.env, process.cwd()), args),
  user: async (args) => await (await import('./user.ts')).user(readConfig(process.env, process.cwd()), args),
  restore: async (args) =>
    await (await import('./restore.ts')).restore(readConfig(process.env, process.cwd()), args),
  upgrade: async (args) =>
    await (await import('./upgrade.ts')).upgrade(readConfig(process.env, process.cwd()), args),
  move: async (args) => await (await import('./move.ts')).move(readConfig(process.env, process.cwd()), args),
  emulate: async (args) => {
    keepCompiled()
    return await (await import('./emulate.ts')).emulate(process.env, args)
  },
  mcp: async (args) => await (await import('./mcp.ts')).mcp(args),
  policies: async (args) => await (await import('./policies.ts')).policies(args),
  approve: async (args) => await (await import('./approve.ts')).approve(args),
  secret: async (args) => await (await import('./secret.ts')).secret(args),
  agent: async (args) => await (await import('./agent.ts')).agent(args),
  'root-key': async (args) =>
    await (await import('./root-key.ts')).rootKey(readConfig(process.env, process.cwd()), args),
  recovery: async (args) =>
    await (await import('./recovery.ts')).recovery(readConfig(process.env, process.cwd()), args),
  unseal: async (args) => await (await import('./unseal.ts')).unsealCommand(process.env, process.cwd(), args),
  'service-key': async (args) =>
    await (await import('./service-key.ts')).serviceKey(readConfig(process.env, process.cwd()), args),
  quota: async (args) =>
    await (await import('./quota.ts')).quota(readConfig(process.env, process.cwd()), args),
  webhooks: async (args) =>
    await (await import('./webhooks.ts')).webhooks(readConfig(process.env, process.cwd()), args),
  version: async (args) => (await import('./version.ts')).version(args),
}
