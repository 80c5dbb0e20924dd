import { useState } from 'preact/hooks'
import { FoldedForm } from '../../parts/form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import type { Answered } from '../../service/answered.ts'
import { say } from './words.ts'

type Editing = {
  readonly user: Answered
  /** The names of the features that are on. */
  readonly features: ReadonlySet<string>
  readonly isBusy: boolean
  readonly onWritten: (parameters: object) => void
}

const BY_CODE = ['FEATURE_NAME_EMAIL_AUTH', 'FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH']

/** Name, address and telephone; only what differs is sent. */
export function EditUser({ user, features, isBusy, onWritten }: Editing) {
  const before = {
    userName: user.text('userName'),
    userEmail: user.textOrNone('userEmail'),
    userPhoneNumber: user.textOrNone('userPhoneNumber'),
  }
  const [userName, setName] = useState(before.userName)
  const [userEmail, setEmail] = useState(before.userEmail)
  const [userPhoneNumber, setPhone] = useState(before.userPhoneNumber)
  const changed = {
    ...(userName === before.userName ? {} : { userName }),
    ...(userEmail === before.userEmail ? {} : { userEmail }),
    ...(userPhoneNumber === before.userPhoneNumber ? {} : { userPhoneNumber }),
  }
  const isContact = 'userEmail' in changed || 'userPhoneNumber' in changed
  return (
    <FoldedForm title={say('edit')} onSubmit={() => onWritten(changed)}>
      <TextField label={say('name')} required value={userName} onText={setName} />
      <TextField
        label={say('email')}
        hint={say('emailHint')}
        type="email"
        value={userEmail}
        onText={setEmail}
      />
      <TextField
        label={say('phone')}
        hint={say('phoneHint')}
        type="tel"
        value={userPhoneNumber}
        onText={setPhone}
      />
      {isContact && BY_CODE.some((feature) => features.has(feature)) && (
        <p class="note warn" role="status">
          {say('contactIsWay')}
        </p>
      )}
      <button type="submit" disabled={isBusy || Object.keys(changed).length === 0}>
        {say('save')}
      </button>
    </FoldedForm>
  )
}
