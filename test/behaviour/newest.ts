import { present } from '../../src/trusted/base/assert.ts'
import type { Activity } from '../../src/trusted/catalogue/activity.ts'
import type { Form } from '../../src/trusted/catalogue/form.ts'

export function newestOf({ forms }: Activity): Form {
  return present(forms.at(-1), 'the newest form')
}
