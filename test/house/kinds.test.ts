import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Source, sources } from './sources.ts'

const DELETION = 'src/trusted/activities/organizations/delete-sub-organization.ts'

/** Kinds of object that stay behind when their organization is deleted, and why. */
const staying: { readonly [kind: string]: string } = {
  contractInterfaces: 'nothing about the interface of a contract is secret, and records name it',
  policyTexts: 'records name the texts on which they were decided',
}

/** Kinds whose objects neither go with their organization, nor expire, nor stay for a reason. */
function forgotten(files: readonly Source[]): readonly string[] {
  const deletion = files.find(({ path }) => path === DELETION)?.text ?? ''
  return files
    .filter(({ path }) => path.startsWith('src/trusted/objects/'))
    .flatMap(({ path, text }) =>
      kindsIn(text)
        .filter(({ name, declaration }) => {
          const goes = deletion.includes(`everyObject(${name}, `)
          return !goes && !/^ {2}expiresAt/m.test(declaration) && !(name in staying)
        })
        .map(({ name }) => `${path} ${name}`),
    )
}

function kindsIn(text: string): readonly { readonly name: string; readonly declaration: string }[] {
  const kinds = /^(?:export )?const (\w+) = defineKind<\w+>\(\{(?: .* |\n([^]*?)^)\}\)$/gm
  return [...text.matchAll(kinds)].map(([, name = '', declaration = '']) => ({ name, declaration }))
}

test('the objects of each kind go with their organization, expire, or stay for a stated reason', () => {
  const files = sources()
  const kinds = files.flatMap(({ text }) => kindsIn(text))
  assert.ok(kinds.length >= 15, `${kinds.length} kinds`)
  assert.deepEqual(forgotten(files), [])
  for (const kind of Object.keys(staying))
    assert.ok(
      kinds.some(({ name }) => name === kind),
      kind,
    )
})

test('a kind of which nobody has said what becomes of its objects is seen', () => {
  const text = "export const gadgets = defineKind<Gadget>({\n  kind: 'gadget',\n})\n"
  const planted = { path: 'src/trusted/objects/gadget.ts', text }
  assert.deepEqual(forgotten([...sources(), planted]), ['src/trusted/objects/gadget.ts gadgets'])
})
