import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromHex, toHex } from '../trusted/base/bytes.ts'
import { flag, isPlain, oneOf, optional, record, text, textLike } from '../trusted/base/plain.ts'
import { Secret } from '../trusted/base/secret.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import { checkParameters } from './check-parameters.ts'
import { runTool } from './run-tool.ts'
import type { Seal, SealMeans } from './seal.ts'

const PCRS = /^[a-z0-9_]+:\d+(,\d+)*$/

const entry = record({
  seal: oneOf(['tpm2']),
  pcrs: optional(textLike(PCRS, 'a bank and registers, such as sha256:7')),
  /**
   * Whether it opens while the TPM takes no passwords, since others gave it wrong ones (`noda`); absent from a file of
   * an earlier version, whose parent key derives from other attributes.
   */
  noda: optional(flag),
  public: text(5_000),
  private: text(5_000),
})

type Tools = {
  readonly path: (name: string) => string
  readonly run: (name: string, args: readonly string[], input?: Uint8Array) => Promise<Uint8Array>
}

/**
 * The TPM of this machine, which releases the file key on this machine only; with `pcrs` only while these registers are
 * unchanged.
 */
export const tpm2: Seal = {
  name: 'tpm2',
  isTried: true,
  close: async (key, { parameters }, means) => {
    const { pcrs } = checkParameters('tpm2', parameters, [], ['pcrs'])
    if (pcrs !== undefined && !PCRS.test(pcrs))
      throw new RootKeyError('pcrs of the seal tpm2 are a bank and registers, such as sha256:7')
    return await withTools(means, PARENT, async ({ path, run }) => {
      const policy =
        pcrs === undefined ? ['-a', `${OBJECT}|userwithauth`] : ['-a', OBJECT, '-L', path('policy')]
      if (pcrs !== undefined)
        await run('tpm2_createpolicy', ['--policy-pcr', '-l', pcrs, '-L', path('policy')])
      await run(
        'tpm2_create',
        ['-C', path('primary'), '-u', path('public'), '-r', path('private'), ...policy, '-i', '-'],
        key.reveal(),
      )
      const [open, sealed] = [readFileSync(path('public')), readFileSync(path('private'))]
      return {
        ...(pcrs === undefined ? {} : { pcrs }),
        noda: true,
        public: toHex(open),
        private: toHex(sealed),
      }
    })
  },
  open: async (found, _file, means) => {
    if (!isPlain(entry, found)) throw new RootKeyError('the root key file does not have what the TPM sealed')
    return await withTools(means, found.noda === true ? PARENT : [], async ({ path, run }) => {
      writeFileSync(path('public'), fromHex(found.public) ?? '')
      writeFileSync(path('private'), fromHex(found.private) ?? '')
      await run('tpm2_load', [
        ...['-C', path('primary'), '-u', path('public'), '-r', path('private'), '-c', path('loaded')],
      ])
      const auth = found.pcrs === undefined ? [] : ['-p', `pcr:${found.pcrs}`]
      const key = await run('tpm2_unseal', ['-c', path('loaded'), ...auth])
      if (key.length !== 32) throw new RootKeyError('the TPM unsealed something else than a key')
      return new Secret(key)
    })
  },
}

const OBJECT = 'fixedtpm|fixedparent|noda'
const PARENT = ['-a', `${OBJECT}|restricted|decrypt|sensitivedataorigin|userwithauth`]

/** The folder has no secrets: data sealed by the TPM, and references to its objects. */
async function withTools<T>(
  { environment }: SealMeans,
  parent: readonly string[],
  use: (tools: Tools) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-tpm-'))
  const path = (name: string): string => join(folder, name)
  const run: Tools['run'] = async (name, args, input = new Uint8Array()) => {
    const printed = await runTool(name, args, { environment, input })
    // A TPM can hold three objects. The resource manager of Linux forgets those of a tool that has ended; a bare TPM
    // does not.
    await runTool('tpm2_flushcontext', ['-t'], { environment })
    return printed
  }
  try {
    // The same one each time: it derives from the seed of the owner hierarchy.
    const kind = ['-C', 'o', '-G', 'ecc', '-g', 'sha256', ...parent]
    await run('tpm2_createprimary', ['-Q', ...kind, '-c', path('primary')])
    return await use({ path, run })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
