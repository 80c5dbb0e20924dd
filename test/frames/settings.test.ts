import assert from 'node:assert/strict'
import { type EmbeddingPage, pageWhereThereIsChromium, withPage } from './embedding-page.ts'

const page = pageWhereThereIsChromium()

withPage('the styles that applications use are applied', page, async (world) => {
  await world.embed('import')
  const styles = {
    padding: '20px 0px',
    margin: '2px',
    borderWidth: '1px',
    borderStyle: 'solid',
    borderColor: 'rgba(128, 128, 128, 1)',
    borderRadius: '0.5rem',
    fontSize: '1rem',
    fontWeight: '600',
    fontFamily: '"Inter", Arial, sans-serif',
    color: '#828282',
    labelColor: 'navy',
    backgroundColor: '#e5e7eb',
    width: '100%',
    height: '90vh',
    maxWidth: 'none',
    maxHeight: '400px',
    lineHeight: '1.25rem',
    boxShadow: '0px 1px 3px rgb(0, 0, 0)',
    textAlign: 'left',
    overflowWrap: 'break-word',
    wordWrap: 'break-word',
    resize: 'none',
  }
  assert.equal(await world.ask('applySettings', { styles }), true)
  const seen = await styleOf(world)
  assert.deepEqual(
    [seen.color, seen.backgroundColor, seen.padding, seen.fontSize],
    ['rgb(130, 130, 130)', 'rgb(229, 231, 235)', '20px 0px', '16px'],
  )
  assert.equal(
    await world.ask('applySettings', { styles: { backgroundColor: '#333336', color: '#a3a3a5' } }),
    true,
  )
})

withPage(
  'no style hides the text, moves it, or loads anything, and then none is applied',
  page,
  async (world) => {
    await world.embed('export')
    const hostile: Readonly<Record<string, readonly string[]>> = {
      position: ['fixed'],
      opacity: ['0'],
      display: ['none'],
      visibility: ['hidden'],
      transform: ['scale(0)'],
      zIndex: ['9'],
      cssText: ['display:none'],
      background: ['url(https://evil.example/)'],
      backgroundImage: ['url(https://evil.example/)'],
      constructor: ['x'],
      setProperty: ['x'],
      backgroundColor: [
        'url(https://evil.example/)',
        'transparent',
        '#22222200',
        'rgba(0,0,0,0)',
        'var(--x)',
        '#222',
        'inherit',
      ],
      color: [
        '#ffffff',
        'white',
        'rgb(255, 255, 255)',
        'transparent',
        'rgb(0 0 0 / 0)',
        'currentColor',
        'red; display: none',
      ],
      fontSize: ['0', '1px', '0px', '0.1em', '9999px', 'calc(1px)', '-5px', '100vw'],
      fontFamily: ['url(x)', 'a;b', 'x'.repeat(300), 'expression(1)'],
      width: ['0', '1px', '1%', '-100px', '0%'],
      height: ['0', '1px', '0vh'],
      maxWidth: ['0', '3%'],
      maxHeight: ['0px', '1%'],
      margin: ['-1000px', '100%', '0 0 0 -9px', '5000px', '1px 1px 1px 1px 1px'],
      padding: ['9999px', '-1px'],
      borderWidth: ['900px'],
      lineHeight: ['0', '0.01', '900px', '100'],
      boxShadow: [
        '0 0 32px 32px inset',
        '0 0 0 32px INSET',
        '0 0 0 9999px black',
        '0px -9px 1px black',
        'inset 0 0 0 999px #fff',
        '0 0 1px url(x)',
      ],
      textAlign: ['-moz-right'],
      resize: ['block; position: fixed'],
    }
    for (const [property, values] of Object.entries(hostile)) {
      for (const value of values) {
        const styles = JSON.parse(
          `{"padding": "3px", ${JSON.stringify(property)}: ${JSON.stringify(value)}}`,
        ) as object
        await assert.rejects(
          world.ask('applySettings', { styles }),
          /the settings are refused/,
          `${property}: ${value}`,
        )
        assert.equal((await styleOf(world)).padding, '8px', 'none of them is applied')
      }
    }
  },
)

withPage('settings that are no settings are refused', page, async (world) => {
  await world.embed('export')
  const values = ['', '{', '[]', '"x"', 'null', '{"styles":5}', '{"styles":{"color":5}}', '{"html":"<b>"}']
  const nested = `${'{"styles":'.repeat(2_000)}{}${'}'.repeat(2_000)}`
  for (const value of [...values, nested, '{"enablePassphrase":true}', '{"passphraseStyles":{}}']) {
    const [type] = await world.send({ type: 'APPLY_SETTINGS', value })
    assert.equal(type, value === '[]' ? 'SETTINGS_APPLIED' : 'ERROR', value.slice(0, 40))
  }
  await world.embed('import')
  await assert.rejects(world.ask('applySettings', { enablePassphrase: 'yes' }), /neither true nor false/)
})

withPage('an auth frame shows nothing, and takes no settings', page, async (world) => {
  await world.embed('auth')
  await assert.rejects(world.ask('applySettings', {}), /knows no message "APPLY_SETTINGS"/)
})

type Seen = {
  readonly color: string
  readonly backgroundColor: string
  readonly padding: string
  readonly fontSize: string
}

async function styleOf(world: EmbeddingPage): Promise<Seen> {
  return await world
    .frame()
    .locator('#text')
    .evaluate((element) => {
      const { color, backgroundColor, padding, fontSize } = getComputedStyle(element)
      return { color, backgroundColor, padding, fontSize }
    })
}
