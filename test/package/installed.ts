import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/running-service.ts'
import { packed } from './packed.ts'

/** The folder of a project of somebody else's, with the package installed from its tarball. */
export const installed: string = install()

function install(): string {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "consumer", "version": "1.0.0", "private": true, "type": "module" }\n',
  )
  packed.npm.npm(['install', '--prefer-offline', packed.tarball], folder)
  return folder
}
