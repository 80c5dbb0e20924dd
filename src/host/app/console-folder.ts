import type { FileFolder } from '../http/file-folder.ts'
import { pageHeaders } from '../http/page-headers.ts'
import { pageFiles } from './page-files.ts'

/** The pages of the console, which are served under `/console/`. */
export const consoleFolder: FileFolder = {
  path: '/console/',
  headers: pageHeaders,
  files: () => pageFiles('console'),
}
