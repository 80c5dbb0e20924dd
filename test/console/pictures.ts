import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Not in git: made anew by each run of the tests outside CI, and there to be looked at. */
const FOLDER = fileURLToPath(new URL('pictures/', import.meta.url))

/** `<name>-light.png`, `<name>-dark.png` and, of 320 pixels, `<name>-narrow.png`. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const forms = [
    { form: 'dark', colorScheme: 'dark', width: 1100 },
    { form: 'narrow', colorScheme: 'light', width: 320 },
    { form: 'light', colorScheme: 'light', width: 1100 },
  ] as const
  for (const form of forms) await pictureOf(page, name, form)
}

type Form = { readonly form: string; readonly colorScheme: 'light' | 'dark'; readonly width: number }

/**
 * `<name>-<form>.png` of the page as it stands, which has to fit that width. CI, where nobody looks, takes no picture.
 */
export async function pictureOf(page: Page, name: string, { form, colorScheme, width }: Form): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
  if (process.env['CI'] !== 'true') {
    mkdirSync(FOLDER, { recursive: true })
    await page.screenshot({ path: join(FOLDER, `${name}-${form}.png`), fullPage: true })
  }
  await assertFits(page, `${name} (${form})`)
}

/** `<name>.png`: what the window shows now. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env['CI'] === 'true') return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}

/** Nobody should have to move a page sideways to read it. */
async function assertFits(page: Page, what: string): Promise<void> {
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  if (Number(excess) > 0) throw new Error(`${what} is ${String(excess)} pixels wider than the window`)
}
