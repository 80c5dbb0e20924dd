import type { Person } from './setting.ts'

type Feature = Parameters<Person['client']['setOrganizationFeature']>[0]['parameters']['name']

/** Switches on features of an organization that have no value. */
export async function switchedOn({ client, activity }: Person, names: readonly Feature[]): Promise<void> {
  for (const name of names)
    await client.setOrganizationFeature(
      activity('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' }),
    )
}
