import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { testCertificate } from '../outside/testing/certificate.ts'
import { DeliveryError } from './delivery-error.ts'
import { headersOf, mailSink } from './testing/mail-sink.ts'
import { type Mail, type MailerOptions, openMailer } from './mailer.ts'
import { smtpSettings } from './smtp-settings.ts'
import { turnedTimers } from '../outside/testing/timers.ts'

const from = { address: 'keys@claviger.test', name: 'Notifications' }
const mail: Mail = {
  to: 'ann@example.test',
  subject: 'Your code',
  text: 'The code is ABC',
  html: '<p>The code is <b>ABC</b></p>',
  messageId: 'message-1',
}

/** A mailer of a server that says whatever it likes. */
async function mailerOf(
  context: TestContext,
  onConnection: (socket: Socket) => void,
  mailerOptions: Partial<MailerOptions> = {},
) {
  const server = createServer(onConnection).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an address and a port.
  const { port } = server.address() as AddressInfo
  const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}?tls=none`, from, ...mailerOptions })
  context.after(() => {
    mailer.close()
    server.close()
  })
  return mailer
}

async function sinkAndMailer(
  context: TestContext,
  sinkOptions: Parameters<typeof mailSink>[0] = {},
  mailerOptions: Partial<MailerOptions> = {},
) {
  const sink = await mailSink(sinkOptions)
  const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${sink.port}?tls=none`, from, ...mailerOptions })
  context.after(async () => {
    mailer.close()
    await sink.stop()
  })
  return { sink, mailer }
}

const failsAs = (kind: 'permanent' | 'temporary') => (error: unknown) => {
  assert.ok(error instanceof DeliveryError, String(error))
  assert.equal(error.kind, kind, error.message)
  return true
}

test('a mail arrives with its sender, its id, and text and HTML', async (context) => {
  const { sink, mailer } = await sinkAndMailer(context)

  await mailer.send({
    ...mail,
    fromName: 'Ünternehmen',
    fromAddress: 'no-reply@acme.test',
    replyTo: 'help@acme.test',
  })

  const [taken] = sink.taken
  assert.ok(taken)
  assert.deepEqual([taken.from, taken.to], ['no-reply@acme.test', ['ann@example.test']])
  const headers = new Map(headersOf(taken.raw))
  assert.match(headers.get('from') ?? '', /^=\?UTF-8\?.*\?= <no-reply@acme\.test>$/)
  assert.equal(headers.get('to'), 'ann@example.test')
  assert.equal(headers.get('reply-to'), 'help@acme.test')
  assert.equal(headers.get('message-id'), '<message-1@claviger.test>')
  assert.equal(headers.get('auto-submitted'), 'auto-generated')
  assert.match(taken.raw, /text\/plain[\s\S]*The code is ABC[\s\S]*text\/html[\s\S]*<b>ABC<\/b>/)
})

test('a repeat of a mail has the same id', async (context) => {
  const { sink, mailer } = await sinkAndMailer(context)

  await mailer.send({ ...mail, fromAddress: 'no-reply@acme.test' })
  await mailer.send(mail)

  const ids = sink.taken.map(({ raw }) => new Map(headersOf(raw)).get('message-id'))
  assert.deepEqual(ids, ['<message-1@claviger.test>', '<message-1@claviger.test>'])
})

const breaks = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\u0085',
  '\u2028',
  '\u2029',
  '\v',
  '\f',
  '\u001e',
  '\r\n\r\n',
  '\n.\r\n',
]
const HEADERS = [
  'from',
  'to',
  'reply-to',
  'subject',
  'message-id',
  'auto-submitted',
  'date',
  'mime-version',
  'content-type',
].toSorted()

test('no line break in a name or a subject makes a header or a recipient', async (context) => {
  const { sink, mailer } = await sinkAndMailer(context)
  for (const at of ['subject', 'fromName'] as const)
    for (const broken of breaks)
      await mailer.send({
        ...mail,
        replyTo: 'help@acme.test',
        [at]: `Hello${broken}Bcc: eve@evil.test${broken}X-Evil: yes\r\nRCPT TO:<eve@evil.test>`,
      })

  assert.equal(sink.taken.length, 2 * breaks.length)
  for (const taken of sink.taken) {
    assert.deepEqual(taken.to, ['ann@example.test'])
    assert.deepEqual(
      headersOf(taken.raw)
        .map(([name]) => name)
        .toSorted(),
      HEADERS,
    )
  }
})

test('an address with anything beside one mailbox is not sent to, nor from', async (context) => {
  const { sink, mailer } = await sinkAndMailer(context)
  const bent = [
    ...breaks.flatMap((broken) => [
      `ann@example.test${broken}Bcc: eve@evil.test`,
      `ann${broken}@example.test`,
    ]),
    'ann@example.test, eve@evil.test',
    'ann@example.test;eve@evil.test',
    'Eve <eve@evil.test>',
    'ann',
    '',
    'ann@example.test> SIZE=1',
    '<ann@example.test>',
    'a b@example.test',
    '"a b"@example.test',
    '@b:ann@c.test',
    'group: ann@example.test, eve@evil.test;',
    'ann@evil.test@example.test',
    'ann@',
    '@example.test',
    `${'a'.repeat(65)}@example.test`,
  ]
  for (const at of ['to', 'fromAddress', 'replyTo'] as const)
    for (const address of bent)
      await assert.rejects(
        mailer.send({ ...mail, [at]: address }),
        failsAs('permanent'),
        JSON.stringify(address),
      )
  assert.equal(sink.taken.length, 0)
})

test('any text in any field leaves one recipient and the headers we write', async (context) => {
  const { sink, mailer } = await sinkAndMailer(context)
  const nasty = fc
    .array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...breaks, 'Bcc: eve@evil.test', '\r\n.\r\n')),
    )
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(nasty, nasty, nasty, nasty, async (subject, fromName, text, html) => {
      const shown = { subject: `a${subject}`, fromName, text: `a${text}`, html: `a${html}` }
      await mailer.send({ ...mail, replyTo: 'help@acme.test', ...shown })
      const taken = sink.taken.at(-1)
      assert.ok(taken)
      assert.deepEqual(taken.to, ['ann@example.test'])
      assert.deepEqual(
        headersOf(taken.raw)
          .map(([name]) => name)
          .toSorted(),
        HEADERS,
      )
    }),
    { numRuns: 50 },
  )
  assert.ok(sink.taken.every(({ raw }) => !raw.includes('\0')))
})

test('no name turns the direction of a header around, and no text moves the cursor of a terminal', async (context) => {
  const { sink, mailer } = await sinkAndMailer(context)
  await mailer.send({
    ...mail,
    subject: 'a\u202eb\u202ac\u2066d\u2069e',
    text: 'a\u001b[2Jb\u0007c\u009bd\te',
    html: '<p>a\u001b[2Jb\u0007c\u009bd\te</p>',
  })
  const [taken] = sink.taken
  assert.ok(taken)
  assert.equal(new Map(headersOf(taken.raw)).get('subject'), 'a b c d e')
  assert.equal(taken.raw.split('a[2Jbcd\te').length, 3, taken.raw)
})

test('a message id that is not plain is a bug', async (context) => {
  const { mailer } = await sinkAndMailer(context)
  await assert.rejects(mailer.send({ ...mail, messageId: 'a>\r\nBcc: eve@evil.test' }), { name: 'Bug' })
})

const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode })

test('what the server refuses for good is permanent, and what it puts off is temporary', async (context) => {
  for (const [code, kind] of [
    [550, 'permanent'],
    [450, 'temporary'],
    [503, 'temporary'],
  ] as const) {
    const atRecipient = await sinkAndMailer(context, {
      onRcptTo: (_address, _session, done) => done(refusal(code)),
    })
    await assert.rejects(atRecipient.mailer.send(mail), failsAs(kind), `recipient ${code}`)
    const atData = await sinkAndMailer(context, {
      onData: (stream, _session, done) => {
        stream.resume()
        stream.on('end', () => done(refusal(code)))
      },
    })
    await assert.rejects(atData.mailer.send(mail), failsAs(kind), `data ${code}`)
  }
})

test('a refused password, a closed door and an absent server are temporary', async (context) => {
  const password = await sinkAndMailer(context, {
    authOptional: false,
    onAuth: (_auth, _session, done) => done(new Error('no')),
  })
  const login = openMailer({ smtpUrl: `smtp://u:p@127.0.0.1:${password.sink.port}?tls=none`, from })
  context.after(() => login.close())
  await assert.rejects(login.send(mail), failsAs('temporary'))

  const closed = await sinkAndMailer(context, { onConnect: (_session, done) => done(refusal(554)) })
  await assert.rejects(closed.mailer.send(mail), failsAs('temporary'))

  const absent = await mailSink()
  await absent.stop()
  const nobody = openMailer({ smtpUrl: `smtp://127.0.0.1:${absent.port}?tls=none`, from })
  context.after(() => nobody.close())
  await assert.rejects(nobody.send(mail), failsAs('temporary'))
})

test('a server that trickles is left when the time is over', async (context) => {
  let now = 0
  const timers = turnedTimers(() => now)
  const { promise: trickling, resolve } = Promise.withResolvers<void>()
  const mailer = await mailerOf(
    context,
    (socket) => {
      resolve()
      const timer = setInterval(() => socket.write('220-wait\r\n'), 10)
      socket.on('close', () => clearInterval(timer)).on('error', () => {})
      context.after(() => socket.destroy())
    },
    { timers },
  )
  const left = assert.rejects(mailer.send(mail), failsAs('temporary'))

  await trickling
  now = 40_000
  timers.turn()

  await left
})

test('a server whose answer does not end is left after 64 KiB of it', async (context) => {
  const mailer = await mailerOf(context, (socket) => {
    socket.on('error', () => {}).write('220-wait\r\n'.repeat(8_000))
    context.after(() => socket.destroy())
  })

  // Not by the time that a greeting may take.
  await assert.rejects(
    mailer.send(mail),
    (error) => failsAs('temporary')(error) && !/TIME/.test(String(error)),
  )
})

test('many mails at once share a few connections', async (context) => {
  const { sink, mailer } = await sinkAndMailer(context)
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => mailer.send({ ...mail, messageId: `message-${index}` })),
  )
  assert.equal(sink.taken.length, 40)
  assert.ok(sink.connections() <= 4, `${sink.connections()} connections`)
})

test('mails for which the server takes no more connections wait for those that it has', async (context) => {
  let open = 0
  const counted = new Set<string>()
  const { sink, mailer } = await sinkAndMailer(context, {
    onConnect: ({ id }, done) => {
      if (open >= 2) return done(refusal(421))
      counted.add(id)
      open++
      done()
    },
    onClose: ({ id }) => {
      if (counted.delete(id)) open--
    },
  })

  await Promise.all(
    Array.from({ length: 20 }, (_, index) => mailer.send({ ...mail, messageId: `message-${index}` })),
  )

  assert.equal(sink.taken.length, 20)
})

test('a server that ends each connection after a few mails delays none, and one that takes none is left at once', async (context) => {
  const mails = new Map<string, number>()
  const { sink, mailer } = await sinkAndMailer(context, {
    onMailFrom: (_address, { id }, done) => {
      const count = (mails.get(id) ?? 0) + 1
      mails.set(id, count)
      done(count > 3 ? refusal(421) : null)
    },
  })
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => mailer.send({ ...mail, messageId: `message-${index}` })),
  )
  assert.equal(sink.taken.length, 20)

  const busy = await sinkAndMailer(context, { onConnect: (_session, done) => done(refusal(421)) })
  const all = Array.from({ length: 8 }, () => assert.rejects(busy.mailer.send(mail), failsAs('temporary')))
  await Promise.all(all)
})

test('a recipient whose mails the server refuses by ending the connection takes none from the other mails', async (context) => {
  const [three, four] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let whole = 0
  const { mailer } = await sinkAndMailer(context, {
    onRcptTo: ({ address }, _session, done) => done(address === 'bad@example.com' ? refusal(421) : null),
    onData: (stream, _session, done) => {
      stream.resume().on('end', () => {
        whole++
        if (whole === 3) three.resolve()
        if (whole === 4) four.resolve()
        void four.promise.then(() => done())
      })
    },
  })
  const sending = Array.from({ length: 3 }, (_, at) => mailer.send({ ...mail, messageId: `${at}` }))
  await three.promise

  await assert.rejects(mailer.send({ ...mail, to: 'bad@example.com' }), failsAs('temporary'))

  // Only a fourth connection beside the three ends them.
  await Promise.all([...sending, mailer.send({ ...mail, messageId: 'last' })])
})

test('a mail that was sent whole to a server that breaks off before its answer is not sent again', async (context) => {
  let wholes = 0
  const mailer = await mailerOf(context, (socket) => {
    context.after(() => socket.destroy())
    let isBody = false
    socket.on('error', () => {})
    socket.write('220 here\r\n')
    socket.on('data', (data) => {
      const said = data.toString()
      if (isBody && said.includes('\r\n.\r\n')) {
        wholes++
        socket.destroy()
      } else if (!isBody) {
        isBody = said.startsWith('DATA')
        socket.write(isBody ? '354 go on\r\n' : '250 yes\r\n')
      }
    })
  })

  await assert.rejects(mailer.send(mail), failsAs('temporary'))

  assert.equal(wholes, 1)
})

test('a mail goes over TLS with a trusted certificate or not at all', async (context) => {
  const startTls = await sinkAndMailer(context, { ...testCertificate, disabledCommands: [] })
  const tls = await sinkAndMailer(context, { ...testCertificate, secure: true })
  const bare = await sinkAndMailer(context)
  const sendTo = async (smtpUrl: string, trust: Partial<MailerOptions>) => {
    const mailer = openMailer({ smtpUrl, from, ...trust })
    await mailer.send(mail).finally(() => mailer.close())
  }
  const trusted = { certificateAuthorities: testCertificate.cert }
  for (const [scheme, { sink }] of [
    ['smtp', startTls],
    ['smtps', tls],
  ] as const) {
    await sendTo(`${scheme}://127.0.0.1:${sink.port}`, trusted)
    await assert.rejects(sendTo(`${scheme}://127.0.0.1:${sink.port}`, {}), failsAs('temporary'))
    assert.deepEqual(
      sink.taken.map(({ isEncrypted }) => isEncrypted),
      [true],
    )
  }
  await assert.rejects(sendTo(`smtp://127.0.0.1:${bare.sink.port}`, trusted), failsAs('temporary'))
  assert.equal(bare.sink.taken.length, 0)
})

test('an SMTP URL says how much TLS there is', () => {
  const shown = (url: string) => {
    const settings = smtpSettings(url)
    return (
      settings && [settings.host, settings.port, settings.secure, settings.requireTLS, settings.ignoreTLS]
    )
  }
  assert.deepEqual(shown('smtp://mail.example.test'), ['mail.example.test', 587, false, true, false])
  assert.deepEqual(shown('smtps://mail.example.test'), ['mail.example.test', 465, true, false, false])
  assert.deepEqual(shown('smtp://mail:25?tls=none'), ['mail', 25, false, false, true])
  assert.deepEqual(shown('smtp://[::1]:2525'), ['::1', 2525, false, true, false])
  assert.deepEqual(smtpSettings('smtps://us%40er:p%3Ass@mail.test')?.auth, { user: 'us@er', pass: 'p:ss' })
  for (const url of [
    '',
    'mail',
    'http://mail',
    'smtp://',
    'smtp://mail/x',
    'smtp://mail?pool=true',
    'smtps://mail?tls=none',
    'smtp://%ff@mail',
  ])
    assert.equal(smtpSettings(url), undefined, url)
})
