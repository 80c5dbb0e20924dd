import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OTHERS_CONNECT = 0o007
const GROUP_OR_OTHERS_WRITE = 0o022

/**
 * Why the socket of a vault protects nothing, for the operator: somebody else could connect to it, or put another one
 * in its place. Whether the one who connects may do so is the kernel's to say, by owner, group and mode of socket and
 * folder.
 */
export function socketTrouble(path: string): string | undefined {
  const folder = dirname(path)
  if (existsSync(folder) && (statSync(folder).mode & GROUP_OR_OTHERS_WRITE) !== 0)
    return `others than its owner may put another socket into the folder ${folder}: chmod 750 it`
  if (existsSync(path) && !statSync(path).isSocket())
    return `${path} is no socket: CLAVIGER_VAULT names the one that claviger vault makes`
  if (existsSync(path) && (statSync(path).mode & OTHERS_CONNECT) !== 0)
    return `everybody may connect to the socket ${path}: its mode has to be 660`
  return undefined
}
