// Takes the pictures of the guides anew, by the tests whose screens they show, and puts them into docs/pictures/:
//   npm run pictures
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../support/running-service.ts'
import { guidePictures, PICTURES, testsThatTake } from './guide-pictures.ts'

const taken = join(projectFolder, 'test/console/pictures')
// What an earlier run left is no picture of the screens as they are now.
rmSync(taken, { recursive: true, force: true })
for (const path of new Set(guidePictures().flatMap(testsThatTake))) {
  const { status } = spawnSync(process.execPath, ['test/run.ts', path], {
    cwd: projectFolder,
    // In CI the tests take none.
    env: { ...process.env, CI: undefined },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${path} fails, so that its pictures may be wrong`)
}
for (const picture of guidePictures()) {
  const path = [`${picture}-light.png`, `${picture}.png`].find((name) => existsSync(join(taken, name)))
  if (path === undefined)
    throw new Error(`no test has taken ${picture}: is Chromium, or a package of it, missing?`)
  copyFileSync(join(taken, path), join(PICTURES, `${picture}.png`))
}
