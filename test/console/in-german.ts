import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import type { Page } from 'playwright-core'
import type { defineWords } from '../../console/words/define-words.ts'
import { projectFolder } from '../support/running-service.ts'
import { assertAccessible } from './accessible.ts'
import { pictureOf } from './pictures.ts'

/**
 * Shows the page in German as it stands, and then in its language again: narrow, where long words show, without
 * findings of axe, and with nothing left that the catalogues have in English.
 */
export async function lookInGerman(page: Page, name: string): Promise<void> {
  const choice = page.locator('header.top select')
  if ((await choice.count()) === 0) return
  const before = await choice.inputValue()
  await inLanguage(page, 'de')
  await pictureOf(page, name, { form: 'german', colorScheme: 'light', width: 320 })
  await assertAccessible(page, ['light'])
  assert.deepEqual(await leftInEnglish(page), [], name)
  await inLanguage(page, before)
}

/** The words of a language that the page was not in before are loaded first. */
export async function inLanguage(page: Page, language: string): Promise<void> {
  await page.locator('header.top select').selectOption(language)
  await page.locator(`html[lang=${language}]`).waitFor()
}

/**
 * Texts of the page that are the English ones of a catalogue. What its readers say of bytes is in English, and says so.
 */
async function leftInEnglish(page: Page): Promise<readonly string[]> {
  // The script returns these.
  const shown = (await page.evaluate(TEXTS)) as readonly string[]
  const english = await englishTexts()
  return shown.filter((text) => english.has(text))
}

const TEXTS = `[...document.querySelectorAll('body *')]
  .filter((element) => element.closest('[lang=en], bdi, code, pre, script, header select, .host') === null)
  .filter((element) => element.checkVisibility())
  .flatMap((element) => [...element.childNodes])
  .filter((node) => node.nodeType === Node.TEXT_NODE)
  .map((node) => node.data.trim())`

/** Without values in them, and not written so in German too. */
async function englishTexts(): Promise<ReadonlySet<string>> {
  const all = await Promise.all(
    globSync('console/**/words.ts', { cwd: projectFolder }).map(async (path) => {
      // Each file of this name exports its words so.
      const { say } = (await import(`${projectFolder}/${path}`)) as { say: ReturnType<typeof defineWords> }
      return say.texts
    }),
  )
  const german = new Set(all.flatMap(({ de }) => Object.values(de)))
  return new Set(
    all.flatMap(({ en }) => Object.values(en)).filter((text) => !text.includes('{') && !german.has(text)),
  )
}
