import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moment } from '../../console/words/moment.ts'
import { plainText } from '../../console/words/plain-text.ts'

// The words of the page ask for its language.
Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } })

/**
 * What is left of a text for the eye: a page shows white space of any kind and length as one gap, and none at the ends
 * of a name.
 */
function seen(text: string): string {
  return text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{C}]/gu, '')
    .replace(/[\s\u2800]+/gu, ' ')
    .trim()
}

test('no name looks like another one by what nobody sees', () => {
  for (const hidden of [
    '\u200b',
    '\u202e',
    '\u00ad',
    '\u3164',
    '\u115f',
    '\uffa0',
    '\u034f',
    '\u17b4',
    '\ufe0e',
    '\u180b',
  ])
    for (const name of [`Ad${hidden}a`, `Ada${hidden}`, `${hidden}Ada`])
      assert.notEqual(seen(plainText(name)), 'Ada', escape(name))
  for (const space of ['\u00a0', '\u2003', '\u202f', '\u3000', '\u2800', '\t', '\n', '  '])
    assert.notEqual(seen(plainText(`Ada${space}King`)), 'Ada King', escape(space))
  for (const name of [' Ada', 'Ada ', '\u2003Ada'])
    assert.notEqual(seen(plainText(name)), 'Ada', escape(name))
  for (const name of ['\u3164', '\u2800', ' ', '\u115f'])
    assert.notEqual(seen(plainText(name)), '', escape(name))
})

test('a usual text stays as it is, with its marks, its emoji and the time of a day', () => {
  for (const text of [
    'Ada King',
    'Zoë O’Neill',
    '李雷',
    'नमस्ते',
    'e\u0301',
    '❤\ufe0f',
    '👩\u200d💻',
    '❤\ufe0f\u200d🔥',
    '',
  ])
    assert.equal(plainText(text), text)
  const noon = moment(Date.UTC(2026, 10, 20, 12))
  assert.equal(plainText(noon), noon)
})
