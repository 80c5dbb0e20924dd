import type { EmailMessage, RecoveryState } from '../../../trusted/catalogue/message.ts'
import type { Letter } from './letter.ts'
import { letterOf, paragraph } from './wording.ts'

export function organizationRecoveryMail(message: EmailMessage): Letter {
  const {
    state = 'begun',
    attemptId = '',
    hoursLeft = 0,
    userNames = [],
  } = message.organizationRecovery ?? {}
  const isOver = state !== 'begun' && state !== 'goesOn'
  const waits = hoursLeft > 0 ? `in ${hoursLeft} hours at the earliest` : 'at any time from now on'
  return letterOf(message, {
    subject: SUBJECTS[state],
    parts: [
      paragraph(TEXTS[state]),
      // Names are not our wording, so no variables are replaced in them.
      { kind: 'copy', text: userNames.join('\n') },
      ...(isOver
        ? []
        : [
            paragraph(
              `They become root users ${waits}. If you do not want this, stop it: any one root user can, until then. Remove the ` +
                'feature FEATURE_NAME_ORGANIZATION_RECOVERY_ATTEMPT, or type: claviger recovery stop',
            ),
          ]),
      paragraph(`The attempt is ${attemptId}.`),
    ],
  })
}

const SUBJECTS: { readonly [S in RecoveryState]: string } = {
  begun: 'New root users are requested for {{organizationName}}',
  goesOn: 'New root users are requested for {{organizationName}}',
  lapsed: 'The recovery of {{organizationName}} has lapsed',
  stopped: 'The recovery of {{organizationName}} was stopped',
  completed: '{{organizationName}} has new root users',
}

const TEXTS: { readonly [S in RecoveryState]: string } = {
  begun:
    'Several people have put the shares of a recovery of {{organizationName}} together, and ask for these new root users:',
  goesOn:
    'A recovery of {{organizationName}} is under way. Several people have put its shares together, and ask for these new root users:',
  lapsed:
    'A recovery of {{organizationName}} was not completed in time. These have not become root users, and the same shares can ask again:',
  stopped: 'A root user has stopped the recovery of {{organizationName}}. These have not become root users:',
  completed: 'The recovery of {{organizationName}} is complete. These are root users from now on:',
}
