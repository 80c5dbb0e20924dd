import { join } from 'node:path'
import { temporaryFolder } from '../support/running-service.ts'
import { packed } from './packed.ts'

/** The command that `npm i -g` has installed, into a folder of this run. */
export const globalCommand: string = install()

function install(): string {
  const prefix = temporaryFolder()
  packed.npm.npm(['install', '--global', '--prefix', prefix, '--prefer-offline', packed.tarball], prefix)
  return join(prefix, 'bin', 'claviger')
}
