import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Controls, controlsIn, parseWithControls } from './controls.ts'
import { USAGES_MAX } from './limits.ts'
import { parse } from './parse.ts'
import { print } from './print.ts'

const daily: Controls = (identifier) => (identifier === 'daily' ? "usage.count('1d') <= 5" : undefined)

test('the controls that a condition names are found wherever they stand', () => {
  for (const [text, expected] of [
    ['controls.a', ['a']],
    ['on && (controls.a || !controls.b)', ['a', 'b']],
    ['[1, 2].any(n, n == 1 && controls.a)', ['a']],
    ["usage.count('1h') < 2", []],
    ['controls', []],
  ] as const)
    assert.deepEqual(controlsIn(parse(text)), expected, text)
})

test('a variable named controls is a variable, and no control is meant by it', () => {
  const text = 'calls.any(controls, controls.daily == 1)'
  assert.deepEqual(controlsIn(parse(text)), [])
  assert.equal(print(parseWithControls(text, daily)), print(parse(text)))
})

test('a control is replaced by its text wherever it stands, also below a variable of another name', () => {
  for (const [text, expected] of [
    ['on && !controls.daily', "on && !(usage.count('1d') <= 5)"],
    ['[1].any(n, n == 1 && controls.daily)', "[1].any(n, n == 1 && usage.count('1d') <= 5)"],
  ] as const)
    assert.equal(print(parseWithControls(text, daily)), print(parse(expected)), text)
})

test('controls count against the bound of usages, beside those that are written out, at any depth', () => {
  const asked = (controls: number, written: number) =>
    [...Array(controls).fill('controls.daily'), ...Array(written).fill("!(usage.count('1d') <= 5)")].join(
      ' && ',
    )
  assert.doesNotThrow(() => parseWithControls(asked(USAGES_MAX - 1, 1), daily))
  assert.throws(
    () => parseWithControls(asked(USAGES_MAX, 1), daily),
    /usage more than 8 times, controls among it/,
  )
})
